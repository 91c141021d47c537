import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ScenarioBuilder } from '../../../src/agents/scripted/builder.ts';
import { built, CONTROL, type Message, request, toolResult, Wire } from './wire.ts';

const LANGUAGE = 'Which programming language should we use?';
const FEATURES = 'Which features do you want to enable?';
const language = {
  id: 'language',
  question: LANGUAGE,
  header: 'Language',
  options: [
    { label: 'Rust', description: 'Fast, strict' },
    { label: 'TypeScript', description: 'Fits the repo' },
  ],
  multiSelect: false,
};
const features = {
  id: 'features',
  question: FEATURES,
  header: 'Features',
  options: [{ label: 'Logging' }, { label: 'Metrics' }, { label: 'Tracing' }],
  multiSelect: true,
};
const ASK = 'control_request/can_use_tool';
const HOOK = 'control_request/hook_callback';
const asking = () =>
  new ScenarioBuilder()
    .respondsWithText('I need two decisions before I start.')
    .asksQuestions([language, features], { toolUseId: 'toolu_ask_0001' })
    .respondsWithText('Building it in {{answer:language}} with {{answer:features}}.');

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

  test('an error response is told to the model; a refusal that interrupts ends the turn with exit code 1', async () => {
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

  test('a line that is no JSON ends it at once, with exit code 1 and no result', async () => {
    const wire = new Wire(built(asking())).begin();
    await wire.until(ASK);
    wire.write('{"type":"control_response",oops\n');
    expect(await wire.ended).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Error parsing streaming input'),
    });
    expect(wire.names).not.toContain('result/success');
  });

  test('when its input closes on a question it carries on unattended', async () => {
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

  test('an interrupt takes the question back, ends the turn, and leaves the session usable', async () => {
    const handle = built(asking());
    const wire = new Wire(handle).begin();
    const ask = await wire.until(ASK);
    wire.send(request('int-1', { subtype: 'interrupt' }));
    await wire.until('result/error_during_execution');
    expect(wire.names.slice(wire.names.indexOf(ASK) + 1)).toEqual([
      'control_cancel_request',
      'control_response/success',
      'user/tool_result',
      'user/text',
      'result/error_during_execution',
    ]);
    wire
      .allow(ask, { [LANGUAGE]: 'Rust' })
      .say(`Here are my answers to your questions:\n\nQ1: ${LANGUAGE}\n\nMy answers:\nGo\n`);
    expect(await wire.until('result/success')).toMatchObject({
      result: expect.stringContaining('in Go with'),
    });
    expect(handle.answers()).toMatchObject([{ answer: 'Go', how: 'text' }]);
    expect(handle.invocations()).toMatchObject([{ continued: false }, { continued: true }]);
    expect(await wire.close()).toMatchObject({ code: 0 });
  });

  test('a delay is interrupted too', async () => {
    const wire = new Wire(built(new ScenarioBuilder().respondsWithText('working').delays(60_000))).begin();
    await wire.until('assistant/text');
    wire.send(request('int-1', { subtype: 'interrupt' }));
    expect(await wire.until('result/error_during_execution')).toMatchObject({
      terminal_reason: 'aborted_streaming',
    });
  });

  test('a question can be taken back by the agent itself', async () => {
    const handle = built(
      new ScenarioBuilder().asksQuestions([language], { takeBackAfterMs: 20 }).respondsWithText('never mind'),
    );
    const wire = new Wire(handle).begin();
    const ask = await wire.until(ASK);
    expect(await wire.until('control_cancel_request')).toMatchObject({ request_id: ask.request_id });
    wire.allow(ask, { [LANGUAGE]: 'Rust' });
    await wire.until('result/success');
    expect(handle.answers()).toEqual([]);
  });

  test('what is said while a question is open goes to the model with the answer', async () => {
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

  test('TERM ends it with 143 and no result, INT with a result and 0', async () => {
    const handle = built(asking().forEachSession());
    const terminated = new Wire(handle).begin();
    await terminated.until(ASK);
    terminated.child.kill('SIGTERM');
    expect(await terminated.ended).toMatchObject({ code: 143 });
    expect(terminated.names.at(-1)).toBe(ASK);
    const interrupted = new Wire(handle).begin();
    await interrupted.until(ASK);
    interrupted.child.kill('SIGINT');
    expect(await interrupted.ended).toMatchObject({ code: 0 });
    expect(interrupted.names.at(-1)).toBe('result/error_during_execution');
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
      errors: [expect.stringContaining('add one with nextInvocation()')],
    });
    expect(await wire.ended).toMatchObject({ code: 1 });
  });

  test('session states are told to a host that wants them', async () => {
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

describe('FAKE-1 hooks and parking', () => {
  const hooks = { PreToolUse: [{ matcher: 'AskUserQuestion', hookCallbackIds: ['ask'], timeout: 3600 }] };
  const decide = (decision: object) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...decision } });
  const DEFER = decide({ permissionDecision: 'defer' });

  test('a hook answers in place of the request, refuses, or lets it pass', async () => {
    const handle = built(asking().asksQuestions([language]).asksQuestions([language]));
    const wire = new Wire(handle).begin('go', hooks);
    const first = await wire.until(HOOK);
    expect(first.request).toMatchObject({
      callback_id: 'ask',
      tool_use_id: 'toolu_ask_0001',
      input: { hook_event_name: 'PreToolUse', tool_name: 'AskUserQuestion', tool_use_id: 'toolu_ask_0001' },
    });
    const updatedInput = { ...first.request.input.tool_input, answers: { [LANGUAGE]: 'Rust' } };
    wire.respond(first, decide({ permissionDecision: 'allow', updatedInput }));
    await wire.until('user/tool_result');
    wire.respond(
      await wire.until(HOOK),
      decide({ permissionDecision: 'deny', permissionDecisionReason: 'no' }),
    );
    expect(toolResult(await wire.until('user/tool_result'))).toBe(
      'PreToolUse:AskUserQuestion hook error: no',
    );
    wire.respond(await wire.until(HOOK), {});
    wire.allow(await wire.until(ASK), { [LANGUAGE]: 'Go' });
    await wire.until('result/success');
    expect(handle.answers().map(({ answer, how }) => [answer, how])).toEqual([
      ['Rust', 'hook'],
      ['Go', 'control'],
    ]);
  });

  test('a hook that takes too long is passed over', async () => {
    const short = { PreToolUse: [{ matcher: 'AskUserQuestion', hookCallbackIds: ['ask'], timeout: 0.05 }] };
    const wire = new Wire(built(asking())).begin('go', short);
    await wire.until(HOOK);
    wire.allow(await wire.until(ASK), { [LANGUAGE]: 'Rust' });
    await wire.until('result/success');
  });

  test.each(['2.1.197', '2.1.325'] as const)(
    'a run parked on %s ends, and its question comes up again under the same call when it is resumed',
    async (version) => {
      const handle = built(asking().behavesLike(version));
      const wire = new Wire(handle).begin('go', hooks);
      wire.respond(await wire.until(HOOK), DEFER);
      const parked = await wire.until('result/success');
      expect(parked).toMatchObject({
        stop_reason: 'tool_deferred',
        deferred_tool_use: { id: 'toolu_ask_0001', name: 'AskUserQuestion' },
      });
      expect(await wire.close()).toMatchObject({ code: 0 });

      const again = new Wire(handle, [...CONTROL, '--resume', parked.session_id], { cwd: wire.cwd });
      again.initialize(hooks);
      if (version === '2.1.325') again.respond(await again.until(HOOK), {});
      const ask = await again.until(ASK);
      expect(ask.request).toMatchObject({ tool_use_id: 'toolu_ask_0001' });
      expect(again.names.includes(HOOK)).toBe(version === '2.1.325');
      again.allow(ask, { [LANGUAGE]: 'Rust', [FEATURES]: 'Logging' });
      expect(await again.until('result/success')).toMatchObject({
        result: 'Building it in Rust with Logging.',
        session_id: parked.session_id,
      });
      expect(again.names.indexOf('user/tool_result')).toBeLessThan(again.names.indexOf('system/init'));
      expect(handle.answers().map(({ toolUseId }) => toolUseId)).toEqual([
        'toolu_ask_0001',
        'toolu_ask_0001',
      ]);
    },
  );

  test('of two parked questions only the last stays', async () => {
    const handle = built(new ScenarioBuilder().asksAtOnce([language], [features]).respondsWithText('DONE'));
    const wire = new Wire(handle).begin('go', hooks);
    wire.respond(await wire.until(HOOK), DEFER).respond(await wire.until(HOOK), DEFER);
    const parked = await wire.until('result/success');
    expect(parked.deferred_tool_use.input.questions[0].question).toBe(FEATURES);
    await wire.close();
    const again = new Wire(handle, [...CONTROL, '--resume', parked.session_id]).initialize();
    const ask = await again.until(ASK);
    again.allow(ask, { [FEATURES]: 'Logging' });
    await again.until('result/success');
    expect(handle.answers().map(({ question }) => question)).toEqual([FEATURES]);
  });

  test('beside another call the older version loses the answer', async () => {
    const handle = built(
      new ScenarioBuilder()
        .behavesLike('2.1.197')
        .together({ do: 'ask', questions: [language] }, { do: 'run', command: 'echo hi' })
        .respondsWithText('DONE'),
    );
    const wire = new Wire(handle).begin('go', hooks);
    wire.respond(await wire.until(HOOK), DEFER);
    const parked = await wire.until('result/success');
    await wire.close();
    const again = new Wire(handle, [...CONTROL, '--resume', parked.session_id], { cwd: wire.cwd });
    again.allow(await again.until(ASK), { [LANGUAGE]: 'Rust' });
    expect(toolResult(await again.until('user/tool_result'))).toBe(
      '[Tool result missing due to internal error]',
    );
    expect(handle.answers()).toEqual([]);
  });
});

describe('FAKE-1 permissions and real tools', () => {
  test('a tool that needs permission runs when it is allowed, and does not when it is refused', async () => {
    const handle = built(
      new ScenarioBuilder()
        .writesFile('a.txt', 'one', { permission: true })
        .writesFile('b.txt', 'two', { permission: true })
        .editsFile('a.txt', 'one', 'three')
        .asksPermission('WebFetch', { url: 'http://example.com' }, 'fetched')
        .respondsWithText('ok'),
    );
    const wire = new Wire(handle).begin();
    const first = await wire.until(ASK);
    expect(first.request).toMatchObject({
      tool_name: 'Write',
      input: { file_path: join(wire.cwd, 'a.txt') },
    });
    wire.respond(first, { behavior: 'allow', updatedInput: first.request.input });
    wire.respond(await wire.until(ASK), { behavior: 'deny', message: 'No files please' });
    const last = await wire.until(ASK);
    wire.respond(last, { behavior: 'allow', updatedInput: last.request.input });
    expect(toolResult(await wire.until('user/tool_result'))).toBe('fetched');
    const { permission_denials: denials } = await wire.until('result/success');
    expect(denials).toMatchObject([{ tool_name: 'Write', tool_input: { content: 'two' } }]);
    expect(readFileSync(join(wire.cwd, 'a.txt'), 'utf8')).toBe('three');
    expect(existsSync(join(wire.cwd, 'b.txt'))).toBe(false);
  });

  test('in the mode dontAsk everything is refused without a question', async () => {
    const wire = new Wire(built(asking()), [...CONTROL, '--permission-mode', 'dontAsk']).begin();
    await wire.until('system/permission_denied');
    const { permission_denials: denials } = await wire.until('result/success');
    expect(denials).toHaveLength(1);
    expect(wire.names).not.toContain(ASK);
  });

  test('an answer reaches a shell command as a variable only, whatever is in it', async () => {
    const handle = built(
      new ScenarioBuilder()
        .asksQuestions([language])
        .runs('printf %s "$ANSWER_language" > answer; echo "{{answer:language}}" > literal')
        .respondsWithText('ok'),
    );
    const wire = new Wire(handle).begin();
    const nasty = '$(touch owned); `touch owned`"; touch owned #';
    wire.allow(await wire.until(ASK), { [LANGUAGE]: nasty });
    await wire.until('result/success');
    expect(readFileSync(join(wire.cwd, 'answer'), 'utf8')).toBe(nasty);
    expect(readFileSync(join(wire.cwd, 'literal'), 'utf8')).toBe('{{answer:language}}\n');
    expect(existsSync(join(wire.cwd, 'owned'))).toBe(false);
  });
});
