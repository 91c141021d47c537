import { describe, expect, test } from 'vitest';
import { ScenarioBuilder } from '../../src/testing/builder.ts';
import { ASK, asking, LANGUAGE, language } from './asking.ts';
import { built, request, Wire } from './wire.ts';

describe('FAKE-1 interrupts and ends', () => {
  test('an interrupt withdraws the question, ends the turn, and leaves the session usable', async () => {
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

  test('the agent itself can withdraw a question', async () => {
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
});
