import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, type TestAPI } from 'vitest';
import type { Ask } from '../../../src/agents/driver.ts';
import type { Answer } from '../../../src/schema/question.ts';
import { bundledProgram, type Program } from '../../support/bundled-program.ts';
import { isLong } from '../../support/long.ts';
import { killAgent, processesIn, untilDeserted } from '../../support/processes.ts';
import type { Follower } from './follow.ts';
import { COLOUR, FEATURES, type Hands, LANGUAGE, LATE_MS, type Opened, SHAPE, STORE } from './hands.ts';
import type { Recorder } from './outcomes.ts';
import { DONE, ENDINGS, type Ending, type PlotQuestion } from './plot.ts';

/** The question that is open when it happens, and the answer that the resumed session gets. */
const OPEN: Record<Ending, { question: PlotQuestion; given: Answer; learns: string }> = {
  'Fermata is killed': { question: LANGUAGE, given: 'Zig', learns: 'Zig' },
  'nobody answers': { question: STORE, given: 'Disk', learns: 'Disk' },
  interrupted: { question: FEATURES, given: ['Logging'], learns: 'Logging' },
  'the agent is killed': { question: COLOUR, given: 'Red', learns: 'Red' },
  stopped: { question: SHAPE, given: 'Round', learns: 'Round' },
};

/** Something ends the agent while its question is open, again and again in one session. */
export function describeEndings(
  { under, open, start, resume, answer, learned }: Hands,
  record: Recorder,
  test: TestAPI,
): void {
  const { driver, abilities } = under;
  const endings = isLong ? ENDINGS : (under.endings ?? ENDINGS);
  let host: Program | undefined;
  beforeAll(async () => {
    if (endings.includes('Fermata is killed'))
      host = await bundledProgram(join(import.meta.dirname, 'crash-host.ts'));
  });

  test('DRV-2 DRV-3 DRV-6 whatever ends it with a question open, no process is left, and the session is resumed with question and answer', async (context) => {
    const world = await open(
      endings.map((ending) => ({ ask: [[OPEN[ending].question]] })),
      context,
    );
    const parking = { ...world, setup: { ...world.setup, parkAfterMs: 200 } };
    const worldFor = (ending?: Ending) => (ending === 'nobody answers' ? parking : world);
    let agent: Follower | undefined;
    let sessionId: string | undefined;
    let expectLearned: () => void = () => undefined;
    for (const [at, ending] of endings.entries()) {
      const { question, given, learns } = OPEN[ending];
      let ask: Ask;
      if (ending === 'Fermata is killed') {
        ({ sessionId, ask } = await killUsAsking(world));
        expect(world.told(question.question)).toEqual([]);
      } else {
        agent ??= start(worldFor(ending));
        sessionId ??= (await agent.take('session')).sessionId;
        ({ ask } = await agent.take('question'));
        expect(JSON.stringify(ask.questions), 'it does not ask again').toContain(question.question);
        expectLearned();
        await end[ending](world, agent, ask, sessionId);
      }
      if (ending !== 'nobody answers' || abilities.parks)
        agent = resume(worldFor(endings[at + 1]), sessionId, ask, given);
      expectLearned = () => {
        const told = learned(world, question, learns);
        if (ending === 'nobody answers') expect(told?.callId).toBe(ask.id);
        recordEnding(ending);
      };
    }
    expect(await agent?.run.ended).toMatchObject({ reason: 'ok', text: DONE, sessionId });
    expect(agent?.events.filter(({ kind }) => kind === 'question')).toEqual([]);
    expectLearned();
  });

  /** How each of them ends the agent, or keeps it, and what the run says then. */
  const end: Record<
    Exclude<Ending, 'Fermata is killed'>,
    (world: Opened, agent: Follower, ask: Ask, sessionId: string | undefined) => Promise<void>
  > = {
    async 'nobody answers'({ setup }, { run }, ask, sessionId) {
      if (!abilities.parks) {
        await sleep(LATE_MS);
        expect(await answer(run, ask, 'Disk')).toBe(true);
        return;
      }
      expect(await run.ended).toMatchObject({ reason: 'parked', sessionId });
      await untilDeserted(setup.cwd);
      expect(await answer(run, ask, 'Disk')).toBe(false);
    },
    async interrupted(_, agent, ask) {
      await agent.run.interrupt();
      expect(await agent.run.ended).toMatchObject({
        reason: 'interrupted',
        message: expect.stringContaining(driver.name),
      });
      await agent.take('cancelled');
      expect(await answer(agent.run, ask, ['Metrics'])).toBe(false);
    },
    async 'the agent is killed'({ setup }, { run }, ask) {
      await sleep(under.savedAfterMs);
      killAgent(setup.cwd);
      expect(await run.ended).toMatchObject({
        reason: 'crashed',
        message: expect.stringContaining(driver.name),
      });
      expect(await answer(run, ask, 'Blue')).toBe(false);
    },
    async stopped({ setup }, { run }) {
      expect(processesIn(setup.cwd).length).toBeGreaterThan(0);
      expect(await run.stop()).toMatchObject({ reason: 'stopped' });
      await untilDeserted(setup.cwd);
      expect(await run.stop()).toMatchObject({ reason: 'stopped' });
    },
  };

  function recordEnding(ending: Ending): void {
    if (ending === 'nobody answers')
      record(
        'nobody answers for a while',
        abilities.parks ? 'it waits without a process' : 'its process is kept',
      );
    else if (ending !== 'stopped') record(`${ending} with a question open, then resumed`);
  }

  /** Another process starts the agent, and is killed when it asks. */
  async function killUsAsking({ setup, onTestFinished }: Opened): Promise<{ sessionId: string; ask: Ask }> {
    const words = JSON.stringify({ name: driver.name, setup });
    const us = spawn(process.execPath, [host?.file ?? '', words], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void us.kill('SIGKILL'));
    const [line] = await once(us.stdout, 'data');
    expect(processesIn(setup.cwd).length).toBeGreaterThan(0);
    await sleep(under.savedAfterMs);
    us.kill('SIGKILL');
    await untilDeserted(setup.cwd);
    return JSON.parse(String(line));
  }
}
