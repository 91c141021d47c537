import { describe, expect, test } from 'vitest';
import { ASK, asking, FEATURES, LANGUAGE, language } from './asking.ts';
import { built, toolResult, Wire } from './wire.ts';

describe('FAKE-1 what a host responds', () => {
  test.each<[string, object, string, string[]]>([
    [
      'an answer under another key',
      { answers: { Language: 'Rust' } },
      'The user did not answer the questions.',
      [],
    ],
    [
      'a text that is none of the options',
      { answers: { [LANGUAGE]: 'Go, please' } },
      `Your questions have been answered: "${LANGUAGE}"="Go, please". You`,
      ['Go, please'],
    ],
    [
      'an array',
      { answers: { [FEATURES]: ['Logging', 'Tracing'] } },
      `"${FEATURES}"="Logging,Tracing"`,
      ['Logging,Tracing'],
    ],
    [
      'a note, with and without an answer',
      {
        answers: { [LANGUAGE]: 'Rust' },
        annotations: { [LANGUAGE]: { notes: 'edition 2024' }, [FEATURES]: { notes: 'decide' } },
      },
      `"${LANGUAGE}"="Rust" notes: edition 2024, "${FEATURES}"=(no option selected) notes: decide.`,
      ['Rust'],
    ],
    ['a text beside no answers', { answers: {}, response: 'Use Go.' }, 'The user responded: Use Go.', []],
    ['no answers', { answers: {} }, 'The user did not answer the questions.', []],
  ])('%s becomes what the real program makes of it', async (_, more, said, answers) => {
    const handle = built(asking());
    const wire = new Wire(handle).begin();
    const ask = await wire.until(ASK);
    wire.respond(ask, { behavior: 'allow', updatedInput: { ...ask.request.input, ...more } });
    expect(toolResult(await wire.until('user/tool_result'))).toContain(said);
    await wire.until('result/success');
    expect(handle.answers().map(({ answer }) => answer)).toEqual(answers);
  });

  test.each<[string, '2.1.197' | '2.1.325', object, string]>([
    [
      'input without the questions',
      '2.1.325',
      { behavior: 'allow', updatedInput: { answers: {} } },
      '`questions` is missing',
    ],
    ['no input, old', '2.1.197', { behavior: 'allow' }, 'Tool permission request failed: ZodError'],
    ['no input, new', '2.1.325', { behavior: 'allow' }, 'The user did not answer the questions.'],
    ['a refusal', '2.1.325', { behavior: 'deny', message: 'Use Rust.' }, 'Use Rust.'],
    ['a refusal without words', '2.1.325', { behavior: 'deny' }, 'Tool permission request failed: ZodError'],
    ['something else', '2.1.325', { behavior: 'maybe' }, 'Tool permission request failed: ZodError'],
  ])('a response with %s is told to the model, and the turn goes on', async (_, version, response, said) => {
    const wire = new Wire(built(asking().behavesLike(version))).begin();
    wire.respond(await wire.until(ASK), response);
    expect(toolResult(await wire.until('user/tool_result'))).toContain(said);
    const { permission_denials: denials } = await wire.until('result/success');
    expect(denials).toHaveLength(/failed|Use Rust/.test(said) ? 1 : 0);
    expect(await wire.close()).toMatchObject({ code: 0 });
  });

  test('the model gets an error response; a refusal that interrupts ends the turn with exit code 1', async () => {
    const wire = new Wire(built(asking().nextInvocation().asksQuestions([language]))).begin();
    const ask = await wire.until(ASK);
    wire.send({
      type: 'control_response',
      response: { subtype: 'error', request_id: ask.request_id, error: 'host failed' },
    });
    expect(toolResult(await wire.until('user/tool_result'))).toBe(
      'Tool permission request failed: Error: host failed',
    );
    await wire.until('result/success');
    wire.say('again');
    wire.respond(await wire.until(ASK), { behavior: 'deny', message: 'stop', interrupt: true });
    expect(await wire.until('result/error_during_execution')).toMatchObject({
      terminal_reason: 'aborted_tools',
    });
    expect(await wire.close()).toMatchObject({ code: 1 });
  });
});
