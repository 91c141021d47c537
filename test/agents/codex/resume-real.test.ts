import { rmSync, truncateSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { rolloutFile } from '../../../src/agents/codex/transcript.ts';
import { longTest } from '../../support/long-test.ts';
import { functionCall, message, type OpenAiReply } from '../../support/model/openai-reply.ts';
import { functionOutput, type OpenAiRequest, userTexts } from '../../support/model/openai-request.ts';
import { delay, drop, gate, httpError, type Scripted } from '../../support/model/script.ts';
import { killAgent } from '../../support/processes.ts';
import { CODEX_NOW } from '../clis/real-cli.ts';
import { askAsSub, hasCalled, isSub, openScene, spawn } from './scene.ts';

const ASK = functionCall('call_ask', 'ask_human', { questions: [{ question: 'Which language?' }] });
const LOOK = 'SUB: look at the parser';

/** How often the conversation has the answer: as the outcome of the call, or in words. */
const answersIn = ({ input }: OpenAiRequest) => JSON.stringify(input).split('Zig').length - 1;

describe.each(CODEX_NOW)('a run of %s that is resumed', (name) => {
  it('HEAR-4 HEAR-5 has an answer that was delivered just before it was killed, and keeps it through a refused key and a lost connection', async ({
    skip,
  }) => {
    let isKilled = false;
    const failures: Scripted<OpenAiReply>[] = [httpError(401, 'invalid_api_key'), drop()];
    const script = (request: OpenAiRequest) => {
      if (!hasCalled(request, 'call_ask')) return ASK;
      if (!isKilled) return delay(60_000, message('Too late.'));
      return failures.shift() ?? message('Zig it is.');
    };
    const { model, stage, home, row, start, resume } = await openScene(name, script, skip);
    const running = start();
    const { id } = await stage.asked();
    const answered = stage.answer(id, 'Zig');
    await expect.poll(async () => (await row(id)).status, { interval: 1 }).toBe('delivered');
    killAgent(home.cwd);
    await answered;
    const { run, end } = await running;
    isKilled = true; // only now, because what it sent earlier may arrive late
    expect([run.status, end.reason]).toEqual(['waiting', 'crashed']);
    for (const status of [401, undefined]) {
      const again = await resume(run.id);
      expect([again.run.status, again.end.reason, again.end.apiStatus]).toEqual([
        'waiting',
        'api_error',
        status,
      ]);
    }
    const last = await resume(run.id);
    expect(last.end).toMatchObject({ reason: 'ok', text: 'Zig it is.', sessionId: run.sessionId });
    expect(await stage.ledger.runs.questions(stage.projectId, run.id)).toMatchObject([
      { id, status: 'delivered' },
    ]);
    expect(answersIn(model.requests.at(-1) as OpenAiRequest)).toBe(1);
    expect(functionOutput(model.requests, 'call_ask')).toContain('Zig');
  });

  longTest(
    'HEAR-2 HEAR-4 HEAR-10 tells the agent what its sub-agent asked before it died, once',
    async ({ skip }) => {
      const script = (request: OpenAiRequest) => {
        if (isSub(request, LOOK)) return askAsSub(name, 'call_look', 'Which parser?');
        if (userTexts(request).join('\n').includes('Zig')) return message('Zig it is.');
        return hasCalled(request, 'call_spawn') ? message('It looks.') : spawn(name, 'call_spawn', LOOK);
      };
      const { model, stage, row, start, resume } = await openScene(name, script, skip);
      const stop = new AbortController();
      const running = start({ signal: stop.signal });
      const { id } = await stage.asked();
      stop.abort();
      const { run, waiting } = await running;
      expect(waiting.map((each) => each.id)).toEqual([id]);
      await stage.answer(id, 'Zig');
      expect((await resume(run.id)).end).toMatchObject({ text: 'Zig it is.', sessionId: run.sessionId });
      const last = userTexts(model.requests.at(-1) as OpenAiRequest).join('\n');
      expect(last).toContain('One of your sub-agents was stopped');
      expect(last).toContain('Which parser?');
      expect(await row(id)).toMatchObject({ status: 'delivered' });
      expect(answersIn(model.requests.at(-1) as OpenAiRequest)).toBe(1);
    },
  );

  longTest(
    'HEAR-5 keeps the question of a sub-agent when its model fails, and has the answer when it is resumed',
    async ({ skip }) => {
      const failure = name === 'codex-0.115.0' ? drop() : httpError(401, 'invalid_api_key');
      const asked = gate();
      const script = async (request: OpenAiRequest) => {
        if (isSub(request, LOOK)) return askAsSub(name, 'call_look', 'Which parser?');
        if (userTexts(request).join('\n').includes('Zig')) return message('Zig it is.');
        if (!hasCalled(request, 'call_spawn')) return spawn(name, 'call_spawn', LOOK);
        await asked.passed;
        return failure;
      };
      const { model, stage, row, start, resume } = await openScene(name, script, skip);
      const running = start();
      const { id } = await stage.asked();
      asked.open();
      const { run, end, waiting } = await running;
      expect([run.status, end.reason, waiting.map((each) => each.id)]).toEqual([
        'waiting',
        'api_error',
        [id],
      ]);
      expect(await row(id)).toMatchObject({ status: 'open' });
      await stage.answer(id, 'Zig');
      expect((await resume(run.id)).end).toMatchObject({ text: 'Zig it is.', sessionId: run.sessionId });
      expect(await row(id)).toMatchObject({ status: 'delivered' });
      expect(await stage.ledger.runs.questions(stage.projectId, run.id)).toHaveLength(1);
      expect(answersIn(model.requests.at(-1) as OpenAiRequest)).toBe(1);
    },
  );

  const losses = {
    'does not exist': (record: string) => rmSync(record),
    // A kill while Codex creates the record leaves this.
    'has an empty record': (record: string) => truncateSync(record),
    'has half a line in its record': (record: string) => truncateSync(record, 100),
  };

  longTest.for(Object.entries(losses))(
    'HEAR-5 BIND-3 starts over if its thread %s, and is not asked again',
    async ([, lose], { skip }) => {
      const script = (request: OpenAiRequest, index: number) =>
        hasCalled(request, 'call_ask') ? (index === 1 ? httpError(401) : message('Zig it is.')) : ASK;
      const { model, setup, stage, start, resume } = await openScene(name, script, skip);
      const running = start();
      const { id } = await stage.asked();
      await stage.answer(id, 'Zig');
      const { run } = await running;
      lose((await rolloutFile(setup, run.sessionId ?? '')) ?? '');
      const last = await resume(run.id);
      expect(last.end).toMatchObject({ reason: 'ok', text: 'Zig it is.' });
      expect(last.end.sessionId).not.toBe(run.sessionId);
      expect(await stage.ledger.runs.questions(stage.projectId, run.id)).toHaveLength(1);
      expect(functionOutput(model.requests.slice(2), 'call_ask'), 'from the record').toContain('Zig');
    },
  );
});
