import { describe, expect, it, onTestFinished } from 'vitest';
import { codexDriver } from '../../../src/agents/codex/driver.ts';
import { resumeRun, startRun } from '../../../src/agents/run/conduct.ts';
import { codexHome } from '../../support/model/cli-home.ts';
import { functionCall, message } from '../../support/model/openai-reply.ts';
import { functionOutput, userTexts } from '../../support/model/openai-request.ts';
import { startOpenAi } from '../../support/model/openai-responses.ts';
import { httpError } from '../../support/model/script.ts';
import { CODEX, realCli } from '../clis/real-cli.ts';
import { openStage, setupIn } from '../support/stage.ts';

const question = {
  question: 'Which language?',
  options: [{ label: 'Rust' }, { label: 'Zig', description: 'small' }],
};

async function place(script: Parameters<typeof startOpenAi>[0], skip: (note: string) => never) {
  const program = await realCli(CODEX, skip);
  const model = await startOpenAi(script);
  const home = codexHome(model.url);
  onTestFinished(() => home.remove());
  onTestFinished(() => model.stop());
  return { model, setup: setupIn(home, program), stage: await openStage() };
}

const wanted = (projectId: string) => ({
  projectId,
  source: 'plan' as const,
  sourceId: 'x',
  prompt: 'Plan the project.',
  work: { for: 'agent' as const },
});

describe(`DRV-7 the real ${CODEX} through the driver and the ledger`, () => {
  it('DRV-1 a question is answered from another process, and the model has the answer under the call id', async ({
    skip,
  }) => {
    const { model, setup, stage } = await place(
      [functionCall('call_ask', 'ask_human', { questions: [question] }), message('Zig it is.')],
      skip,
    );
    const running = startRun({ ledger: stage.ledger, driver: codexDriver, setup }, wanted(stage.projectId));
    const asked = await stage.asked();
    expect(asked).toMatchObject({ status: 'open', resume: { agent: 'codex', toolCallId: 'call_ask' } });
    expect(asked.resume?.sessionId).toBeTruthy();
    await stage.answer(asked.id, 'zig');
    const { end, run, waiting } = await running;
    expect(end).toMatchObject({ reason: 'ok', text: 'Zig it is.' });
    expect(end.usage.inputTokens).toBeGreaterThan(0);
    expect({ status: run.status, waiting }).toEqual({ status: 'ended', waiting: [] });
    expect(functionOutput(model.requests, 'call_ask')).toContain('Zig');
    expect(await stage.ledger.notifications.get(stage.projectId, asked.id)).toMatchObject({
      status: 'delivered',
      outcome: 'answered',
    });
    expect(model.strays).toEqual([]);
  });

  it('DRV-3 killed with the question open, it is resumed with question and answer in words', async ({
    skip,
  }) => {
    const { model, setup, stage } = await place(
      [functionCall('call_ask', 'ask_human', { questions: [question] }), message('Rust it is.')],
      skip,
    );
    const stop = new AbortController();
    const running = startRun(
      { ledger: stage.ledger, driver: codexDriver, setup, signal: stop.signal },
      wanted(stage.projectId),
    );
    const asked = await stage.asked();
    stop.abort();
    const killed = await running;
    expect(killed).toMatchObject({ end: { reason: 'stopped' }, run: { status: 'waiting' } });
    expect(killed.waiting.map((n) => n.id)).toEqual([asked.id]);
    await stage.answer(asked.id, 'Rust');
    const { end } = await resumeRun(
      { ledger: stage.ledger, driver: codexDriver, setup },
      stage.projectId,
      killed.run.id,
    );
    expect(end).toMatchObject({ reason: 'ok', text: 'Rust it is.', sessionId: asked.resume?.sessionId });
    const last = userTexts(await model.request(2)).join('\n');
    expect((await model.request(2)).tools, 'it can ask again').toContain('ask_human');
    expect(last).toContain('Q1: Which language?');
    expect(last).toContain('My answers:\nRust');
    expect(await stage.ledger.notifications.get(stage.projectId, asked.id)).toMatchObject({
      status: 'delivered',
    });
  });

  it('STR-6 a failing model is told as a failure, with its words', async ({ skip }) => {
    const { setup, stage } = await place([httpError(400, 'invalid_request_error', 'no such model')], skip);
    const { end } = await startRun(
      { ledger: stage.ledger, driver: codexDriver, setup },
      wanted(stage.projectId),
    );
    expect(end).toMatchObject({ reason: 'api_error', apiStatus: 400 });
    expect(end.message).toContain('codex 0.166.0');
  });

  it('DRV-1 the probe tells the version', async ({ skip }) => {
    const { setup } = await place([message('hi')], skip);
    expect(await codexDriver.probe(setup)).toMatchObject({ found: true, version: '0.166.0' });
  });
});
