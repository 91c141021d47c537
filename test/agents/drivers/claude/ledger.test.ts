import { describe, expect, it, onTestFinished } from 'vitest';
import { resumeRun, startRun } from '../../../../src/agents/conduct.ts';
import { claudeDriver } from '../../../../src/agents/drivers/claude/driver.ts';
import { type AnthropicServer, startAnthropic } from '../../../support/model/anthropic.ts';
import { text, toolUse } from '../../../support/model/anthropic-reply.ts';
import { toolResult, userTexts } from '../../../support/model/anthropic-request.ts';
import { claudeHome } from '../../../support/model/cli-home.ts';
import { CLAUDES, realCli } from '../../clis/real-cli.ts';
import { openStage, setupIn } from '../../support/stage.ts';

const question = {
  question: 'Which language?',
  header: 'Language',
  multiSelect: false,
  options: [
    { label: 'Rust', description: 'fast' },
    { label: 'Zig', description: 'small' },
  ],
};
const driver = claudeDriver();

async function place(name: (typeof CLAUDES)[number], model: AnthropicServer, skip: (note: string) => never) {
  onTestFinished(() => model.stop());
  const program = await realCli(name, skip);
  const home = claudeHome(model.url);
  onTestFinished(() => home.remove());
  return { setup: setupIn(home, program), stage: await openStage() };
}

const wanted = (projectId: string) => ({
  projectId,
  source: 'plan' as const,
  sourceId: 'x',
  prompt: 'Plan it.',
});

describe.each(CLAUDES)('DRV-7 the real %s, the ledger, and a person in another process', (name) => {
  const ask = () =>
    startAnthropic([toolUse('toolu_ask', 'AskUserQuestion', { questions: [question] }), text('Thanks.')]);

  it('DRV-2 the answer goes back into the same process, under the tool-call id', async ({ skip }) => {
    const model = await ask();
    const { setup, stage } = await place(name, model, skip);
    const running = startRun({ ledger: stage.ledger, driver, setup }, wanted(stage.projectId));
    const asked = await stage.asked();
    expect(asked).toMatchObject({ status: 'open', resume: { agent: 'claude', toolCallId: 'toolu_ask' } });
    await stage.answer(asked.id, 'Zig');
    const { end, run } = await running;
    expect({ reason: end.reason, text: end.text, status: run.status }).toEqual({
      reason: 'ok',
      text: 'Thanks.',
      status: 'ended',
    });
    expect(end.sessionId).toBe(asked.resume?.sessionId);
    expect(toolResult(model.requests, 'toolu_ask')?.text).toContain('Zig');
    expect(await stage.ledger.notifications.get(stage.projectId, asked.id)).toMatchObject({
      status: 'delivered',
      outcome: 'answered',
    });
    expect(model.strays).toEqual([]);
  });

  it('DRV-3 parked, it holds no process; the answer resumes it under the same tool-call id', async ({
    skip,
  }) => {
    const model = await ask();
    const { setup, stage } = await place(name, model, skip);
    const parking = { ledger: stage.ledger, driver, setup: { ...setup, parkAfterMs: 300 } };
    const parked = await startRun(parking, wanted(stage.projectId));
    const asked = await stage.asked();
    expect(parked).toMatchObject({ end: { reason: 'parked' }, run: { status: 'waiting', holder: null } });
    expect(parked.waiting.map((n) => n.id)).toEqual([asked.id]);
    await stage.answer(asked.id, 'Rust');
    const { end } = await resumeRun(parking, stage.projectId, parked.run.id);
    expect({ reason: end.reason, sessionId: end.sessionId }).toEqual({
      reason: 'ok',
      sessionId: asked.resume?.sessionId,
    });
    expect(toolResult(model.requests, 'toolu_ask')).toMatchObject({
      text: expect.stringContaining('Rust'),
      isError: false,
    });
    expect(await stage.ledger.notifications.get(stage.projectId, asked.id)).toMatchObject({
      status: 'delivered',
    });
  });

  it('DRV-3 DRV-4 ended with the question open, it is resumed with question and answer', async ({ skip }) => {
    const model = await ask();
    const { setup, stage } = await place(name, model, skip);
    const stop = new AbortController();
    const conducting = { ledger: stage.ledger, driver, setup };
    const running = startRun({ ...conducting, signal: stop.signal }, wanted(stage.projectId));
    const asked = await stage.asked();
    stop.abort();
    const stopped = await running;
    expect(stopped).toMatchObject({ end: { reason: 'stopped' }, run: { status: 'waiting' } });
    await stage.answer(asked.id, 'Rust, please');
    const { end } = await resumeRun(conducting, stage.projectId, stopped.run.id);
    expect(end.reason).toBe('ok');
    const last = userTexts(model.requests.at(-1) as never).join('\n');
    expect(last).toContain('Q1: Which language?');
    expect(last).toContain('Rust, please');
    expect(await stage.ledger.notifications.get(stage.projectId, asked.id)).toMatchObject({
      status: 'delivered',
    });
  });
});
