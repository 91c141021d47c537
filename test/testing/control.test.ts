import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ScenarioBuilder } from '../../src/testing/builder.ts';
import { ASK, asking, FEATURES, features, LANGUAGE, language } from './asking.ts';
import { built, type Message, request, toolResult, Wire } from './wire.ts';

describe('FAKE-1 the control channel', () => {
  test('a question is asked, answered and used in the same process and session', async () => {
    const handle = built(asking().writesFile('out/LANGUAGE', '{{answer:language}}'));
    const wire = new Wire(handle).begin();
    const ask = await wire.until(ASK);
    expect(ask.request).toMatchObject({ tool_name: 'AskUserQuestion', tool_use_id: 'toolu_ask_0001' });
    expect(ask.request.input.questions[0]).toEqual({ ...language, id: undefined });
    wire.allow(ask, { [LANGUAGE]: 'Rust', [FEATURES]: 'Logging, Tracing' });
    const result = await wire.until('result/success');
    expect(result).toMatchObject({
      is_error: false,
      result: 'Building it in Rust with Logging, Tracing.',
      stop_reason: 'end_turn',
      permission_denials: [],
    });
    expect(await wire.close()).toMatchObject({ code: 0, stderr: '' });
    expect(wire.names).toEqual([
      'control_response/success',
      'system/init',
      'assistant/text',
      'assistant/tool_use',
      ASK,
      'user/tool_result',
      'assistant/text',
      'assistant/tool_use',
      'user/tool_result',
      'result/success',
    ]);
    const told = wire.messages.find(({ type }) => type === 'user') as Message;
    expect(toolResult(told)).toBe(
      `Your questions have been answered: "${LANGUAGE}"="Rust", "${FEATURES}"="Logging, Tracing". You can now continue with these answers in mind.`,
    );
    expect(readFileSync(join(wire.cwd, 'out/LANGUAGE'), 'utf8')).toBe('Rust');
    expect(handle.answers()).toMatchObject([
      {
        questionId: 'language',
        question: LANGUAGE,
        answer: 'Rust',
        how: 'control',
        toolUseId: 'toolu_ask_0001',
      },
      { questionId: 'features', question: FEATURES, answer: 'Logging, Tracing' },
    ]);
    expect(handle.invocations()).toMatchObject([
      { invocation: 0, prompt: 'Plan the project', continued: false },
    ]);
  });

  test('one message has one id and its tokens once, the next message another', async () => {
    const wire = new Wire(built(asking().uses(70, 9))).begin();
    wire.allow(await wire.until(ASK), { [LANGUAGE]: 'Rust' });
    const result = await wire.until('result/success');
    const ids = wire.messages.filter(({ type }) => type === 'assistant').map(({ message }) => message.id);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).not.toBe(ids[0]);
    expect(result.usage).toMatchObject({ input_tokens: 140, output_tokens: 18 });
  });

  test('several calls in one message are open at once and answered in any order; other tools wait for them', async () => {
    const handle = built(
      new ScenarioBuilder()
        .together(
          { do: 'ask', questions: [language], toolUseId: 'toolu_1' },
          { do: 'ask', questions: [features], toolUseId: 'toolu_2' },
          { do: 'run', command: 'echo hi > x.txt', permission: true, toolUseId: 'toolu_3' },
        )
        .respondsWithText('DONE'),
    );
    const wire = new Wire(handle).begin();
    const first = await wire.until(ASK);
    const second = await wire.until(ASK);
    wire.allow(second, { [FEATURES]: 'Logging' }).allow(first, { [LANGUAGE]: 'Rust' });
    const third = await wire.until(ASK);
    expect([first, second, third].map(({ request }) => request.tool_use_id)).toEqual([
      'toolu_1',
      'toolu_2',
      'toolu_3',
    ]);
    expect(existsSync(join(wire.cwd, 'x.txt'))).toBe(false);
    wire.respond(third, { behavior: 'allow', updatedInput: third.request.input });
    await wire.until('result/success');
    expect(readFileSync(join(wire.cwd, 'x.txt'), 'utf8')).toBe('hi\n');
    expect(handle.answers().map(({ toolUseId, answer }) => [toolUseId, answer])).toEqual([
      ['toolu_2', 'Logging'],
      ['toolu_1', 'Rust'],
    ]);
  });

  test('unknown ids, repeated answers, unknown messages and blank lines are ignored', async () => {
    const handle = built(asking());
    const wire = new Wire(handle).begin();
    const ask = await wire.until(ASK);
    wire.write('\n').send({ type: 'keep_alive' });
    wire.allow({ ...ask, request_id: 'other' }, { [LANGUAGE]: 'Go' });
    wire.allow(ask, { [LANGUAGE]: 'Rust' }).allow(ask, { [LANGUAGE]: 'Go' });
    await wire.until('result/success');
    expect(handle.answers().map(({ answer }) => answer)).toEqual(['Rust']);
  });

  test('a line that is not JSON ends it at once, with exit code 1 and no result', async () => {
    const wire = new Wire(built(asking())).begin();
    await wire.until(ASK);
    wire.write('{"type":"control_response",oops\n');
    expect(await wire.ended).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Error parsing streaming input'),
    });
    expect(wire.names).not.toContain('result/success');
  });

  test('when its input closes on a question, it continues unattended', async () => {
    const handle = built(asking());
    const wire = new Wire(handle).begin();
    await wire.until(ASK);
    expect(await wire.close()).toMatchObject({ code: 0 });
    expect(toolResult(wire.messages.find(({ type }) => type === 'user') as Message)).toBe(
      'Tool permission request failed: Error: Tool permission stream closed before response received',
    );
    expect(wire.messages.at(-1)).toMatchObject({ result: 'Building it in (no answer) with (no answer).' });
    expect(handle.answers()).toEqual([]);
  });

  test('a message sent while a question is open goes to the model with the answer', async () => {
    const handle = built(asking());
    const wire = new Wire(handle).begin();
    const ask = await wire.until(ASK);
    wire.say('EXTRA').allow(ask, { [LANGUAGE]: 'Rust' });
    const { session_id: id } = await wire.until('result/success');
    await wire.close();
    expect(wire.names.filter((name) => name.startsWith('result'))).toHaveLength(1);
    expect(handle.transcript(id)).toContainEqual({ type: 'user', text: 'EXTRA' });
  });

  test('a second initialize lists what is open; an unknown request is refused', async () => {
    const wire = new Wire(built(asking())).begin();
    const ask = await wire.until(ASK);
    wire.send(request('init-2', { subtype: 'initialize' }));
    const { response } = await wire.until('control_response/success');
    expect(response.pending_permission_requests).toEqual([ask]);
    wire.send(request('x', { subtype: 'no_such_subtype' }));
    expect(await wire.until('control_response/error')).toMatchObject({
      response: { request_id: 'x', error: 'Unsupported control request subtype: no_such_subtype' },
    });
  });

  test('the next message in the same process takes the next invocation', async () => {
    const handle = built(
      new ScenarioBuilder()
        .respondsWithText('one: {{prompt}}')
        .nextInvocation()
        .respondsWithText('two: {{prompt}}'),
    );
    const wire = new Wire(handle).begin('first');
    expect(await wire.until('result/success')).toMatchObject({ result: 'one: first' });
    wire.say('second');
    expect(await wire.until('result/success')).toMatchObject({ result: 'two: second' });
    wire.say('third');
    expect(await wire.until('result/error_during_execution')).toMatchObject({
      errors: [expect.stringContaining('Add one with nextInvocation()')],
    });
    expect(await wire.ended).toMatchObject({ code: 1 });
  });

  test('session states are sent to a host that wants them', async () => {
    const wire = new Wire(built(asking()), undefined, {
      env: { CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1' },
    }).begin();
    wire.allow(await wire.until(ASK), { [LANGUAGE]: 'Rust' });
    await wire.until('result/success');
    await wire.close();
    const states = wire.messages.filter(({ subtype }) => subtype === 'session_state_changed');
    expect(states.map(({ state }) => state)).toEqual(['running', 'requires_action', 'running', 'idle']);
  });

  test.each(['2.1.197', '2.1.325'] as const)('the shapes of %s are its own', async (version) => {
    const wire = new Wire(built(asking().behavesLike(version))).begin();
    const ask = await wire.until(ASK);
    wire.allow(ask, { [LANGUAGE]: 'Rust' });
    const result = await wire.until('result/success');
    const isNew = version === '2.1.325';
    expect(wire.messages.find(({ subtype }) => subtype === 'init')).toMatchObject({
      claude_code_version: version,
    });
    expect('timestamp' in (wire.messages.find(({ type }) => type === 'assistant') as Message)).toBe(isNew);
    expect(ask.request.requires_user_interaction).toBe(isNew ? true : undefined);
    expect(Object.keys(result)[0] === 'type').toBe(!isNew);
  });
});
