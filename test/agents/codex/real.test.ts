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
  it('DRV-1 DRV-3 a question is answered from another process; stopped on the next one, it is resumed with question and answer in words', async ({
    skip,
  }) => {
    const { model, setup, stage } = await place(
      [
        functionCall('call_ask', 'ask_human', { questions: [question] }),
        functionCall('call_open', 'ask_human', { questions: [{ question: 'Which store?' }] }),
        message('Disk it is.'),
      ],
      skip,
    );
    const stop = new AbortController();
    const conducting = { ledger: stage.ledger, driver: codexDriver, setup };
    const running = startRun({ ...conducting, signal: stop.signal }, wanted(stage.projectId));
    const asked = await stage.asked();
    expect(asked).toMatchObject({ status: 'open', resume: { agent: 'codex', toolCallId: 'call_ask' } });
    expect(asked.resume?.sessionId).toBeTruthy();
    await stage.answer(asked.id, 'zig');
    const open = await stage.asked();
    expect(functionOutput(model.requests, 'call_ask')).toContain('Zig');
    stop.abort();
    const stopped = await running;
    expect(stopped).toMatchObject({ end: { reason: 'stopped' }, run: { status: 'waiting' } });
    expect(stopped.waiting.map((each) => each.id)).toEqual([open.id]);
    await stage.answer(open.id, 'Disk');

    const { end, run, waiting } = await resumeRun(conducting, stage.projectId, stopped.run.id);
    expect(end).toMatchObject({ reason: 'ok', text: 'Disk it is.', sessionId: asked.resume?.sessionId });
    expect(end.usage.inputTokens).toBeGreaterThan(0);
    expect({ status: run.status, waiting }).toEqual({ status: 'ended', waiting: [] });
    const last = userTexts(await model.request(3)).join('\n');
    expect((await model.request(3)).tools, 'it can ask again').toContain('ask_human');
    expect(last).toContain('Q1: Which store?');
    expect(last).toContain('My answers:\nDisk');
    for (const { id } of [asked, open]) {
      expect(await stage.ledger.notifications.get(stage.projectId, id)).toMatchObject({
        status: 'delivered',
        outcome: 'answered',
      });
    }
    expect(model.strays).toEqual([]);
  });

  it('STR-6 a failing model is reported as a failure, with its message', async ({ skip }) => {
    const { setup, stage } = await place([httpError(400, 'invalid_request_error', 'no such model')], skip);
    const { end } = await startRun(
      { ledger: stage.ledger, driver: codexDriver, setup },
      wanted(stage.projectId),
    );
    expect(end).toMatchObject({ reason: 'api_error', apiStatus: 400 });
    expect(end.message).toContain('codex 0.166.0');
  });
});
