import { describe, expect, test } from 'vitest';
import { ScenarioBuilder } from '../../src/testing/builder.ts';
import { ASK, asking, FEATURES, features, HOOK, LANGUAGE, language } from './asking.ts';
import { built, CONTROL, toolResult, Wire } from './wire.ts';

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

  test('a hook that takes too long is skipped', async () => {
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

  test('only the last of two parked questions stays', async () => {
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

  test('with another call open, the older version loses the answer', async () => {
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
