import { describe, expect, it, onTestFinished } from 'vitest';
import { claudeDriver } from '../../src/agents/claude/driver.ts';
import { resumeRun, startRun } from '../../src/agents/run/conduct.ts';
import { bash, subAgent, threads } from '../agents/claude/real-scene.ts';
import { CLAUDE_NOW, type CLAUDES, realCli } from '../agents/clis/real-cli.ts';
import { openStage, setupIn } from '../agents/support/stage.ts';
import { type AnthropicServer, startAnthropic } from '../support/model/anthropic.ts';
import { text, toolUse } from '../support/model/anthropic-reply.ts';
import { type AnthropicRequest, toolResult, userTexts } from '../support/model/anthropic-request.ts';
import { claudeHome } from '../support/model/cli-home.ts';
import { drop, gate, httpError } from '../support/model/script.ts';

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
  work: { for: 'agent' as const },
});

describe.each(CLAUDE_NOW)('DRV-7 the real %s, the ledger, and a person in another process', (name) => {
  const ask = (id: string, each: object) => toolUse(id, 'AskUserQuestion', { questions: [each] });

  it('DRV-2 DRV-3 DRV-4 answers a running process, then one that is parked, then one that was stopped', async ({
    skip,
  }) => {
    const model = await startAnthropic([
      ask('toolu_running', question),
      ask('toolu_parked', { ...question, question: 'Which store?' }),
      ask('toolu_stopped', { ...question, question: 'Which colour?' }),
      text('Thanks.'),
    ]);
    const { setup, stage } = await place(name, model, skip);
    const conducting = { ledger: stage.ledger, driver, setup: { ...setup, parkAfterMs: 2000 } };
    const running = startRun(conducting, wanted(stage.projectId));
    const first = await stage.asked();
    expect(first).toMatchObject({
      status: 'open',
      resume: { agent: 'claude', toolCallId: 'toolu_running' },
    });
    await stage.answer(first.id, 'Zig');
    const second = await stage.asked();
    const parked = await running;
    expect(parked).toMatchObject({ end: { reason: 'parked' }, run: { status: 'waiting', holder: null } });
    expect(parked.waiting.map((each) => each.id)).toEqual([second.id]);
    await stage.answer(second.id, 'Rust');

    const stop = new AbortController();
    const resumed = { ...conducting, signal: stop.signal };
    const stopping = resumeRun(resumed, stage.projectId, parked.run.id);
    const third = await stage.asked();
    stop.abort();
    const stopped = await stopping;
    expect(stopped).toMatchObject({ end: { reason: 'stopped' }, run: { status: 'waiting' } });
    await stage.answer(third.id, 'Red, please');
    const { end } = await resumeRun(conducting, stage.projectId, stopped.run.id);
    expect(end).toMatchObject({ reason: 'ok', text: 'Thanks.', sessionId: first.resume?.sessionId });

    expect(toolResult(model.requests, 'toolu_running')?.text).toContain('Zig');
    expect(toolResult(model.requests, 'toolu_parked')).toMatchObject({
      text: expect.stringContaining('Rust'),
      isError: false,
    });
    const last = userTexts(model.requests.at(-1) as never).join('\n');
    expect(last).toContain('Q1: Which colour?');
    expect(last).toContain('Red, please');
    const [run] = await stage.ledger.runs.list(stage.projectId);
    expect(run).toMatchObject({ status: 'ended', sessionId: end.sessionId });
    const rows = await stage.ledger.runs.questions(stage.projectId, run?.id ?? '');
    expect(rows.map(({ status, outcome }) => [status, outcome])).toEqual(
      Array.from({ length: 3 }, () => ['delivered', 'answered']),
    );
    expect(model.strays).toEqual([]);
  });

  it('HEAR-2 the ledger has a background sub-agent’s question with who asks, and the answer goes to it', async ({
    skip,
  }) => {
    const model = await startAnthropic(
      threads({
        ONE: [
          toolUse('toolu_one', 'mcp__fermata_run__ask_human', { questions: [question] }),
          bash('toolu_bash', 'touch one'),
          text('One is over.'),
        ],
        main: [subAgent('toolu_a', 'ONE'), text('I wait.'), text('Thanks.')],
      }),
    );
    const { setup, stage } = await place(name, model, skip);
    const running = startRun({ ledger: stage.ledger, driver, setup }, wanted(stage.projectId));
    const asked = await stage.asked();
    expect(asked).toMatchObject({
      source: 'plan',
      questions: [{ text: 'Which language?', context: 'Asked by a sub-agent: the job of ONE' }],
      resume: { toolCallId: 'toolu_one', subAgent: 'toolu_a' },
    });
    await stage.answer(asked.id, 'Zig');
    const wish = await stage.asked();
    expect(wish).toMatchObject({ source: 'approval', resume: { subAgent: 'toolu_a' } });
    expect(wish.questions[0]?.verbatim).toContainEqual({ label: 'sub-agent', text: 'the job of ONE' });
    await stage.answer(wish.id, 'Approve');
    const { end } = await running;
    expect({ reason: end.reason, text: end.text }).toEqual({ reason: 'ok', text: 'Thanks.' });
    expect(toolResult(model.requests, 'toolu_one')?.text).toBe('Which language?\nZig');
    expect(toolResult(model.requests, 'toolu_bash')?.isError).toBe(false);
    for (const { id } of [asked, wish]) {
      expect(await stage.ledger.notifications.get(stage.projectId, id)).toMatchObject({
        status: 'delivered',
      });
    }
  });

  it('HEAR-5 the question of a sub-agent stays when its model fails, and the resumed session has the answer', async ({
    skip,
  }) => {
    const failure = name === 'claude-2.1.197' ? httpError(401, 'authentication_error') : drop();
    const askedIt = gate();
    const model = await startAnthropic(async (request) => {
      if (request.messages.some((each) => JSON.stringify(each).includes('Zig, please')))
        return text('Zig it is.');
      if (userTexts(request).some((each) => each.includes('ONE: do your part.')))
        return toolUse('toolu_one', 'mcp__fermata_run__ask_human', { questions: [question] });
      if (!JSON.stringify(request.messages).includes('toolu_a')) return subAgent('toolu_a', 'ONE');
      await askedIt.passed;
      return failure;
    });
    const { setup, stage } = await place(name, model, skip);
    const patience = { outage: [], crash: [] };
    const env = { ...setup.env, CLAUDE_CODE_MAX_RETRIES: '0' };
    const conducting = { ledger: stage.ledger, driver, patience, setup: { ...setup, env } };
    const running = startRun(conducting, wanted(stage.projectId));
    const { id } = await stage.asked();
    askedIt.open();
    const { run, end, waiting } = await running;
    expect([run.status, end.reason, waiting.map((each) => each.id)]).toEqual(['waiting', 'api_error', [id]]);
    await stage.answer(id, 'Zig, please');
    const last = await resumeRun(conducting, stage.projectId, run.id);
    expect(last.end).toMatchObject({ reason: 'ok', text: 'Zig it is.', sessionId: run.sessionId });
    const rows = await stage.ledger.runs.questions(stage.projectId, run.id);
    expect(rows).toMatchObject([{ id, status: 'delivered' }]);
    expect(userTexts(model.requests.at(-1) as AnthropicRequest).join('\n')).toContain('Which language?');
  });
});
