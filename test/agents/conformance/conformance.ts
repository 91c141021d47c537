import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Ask } from '../../../src/agents/driver.ts';
import { bundledProgram, type Program } from '../../support/bundled-program.ts';
import { isLong } from '../../support/long.ts';
import { longTest } from '../../support/long-test.ts';
import { killAgent, processesIn, untilDeserted } from '../../support/processes.ts';
import { describeBackground } from './background.ts';
import { describeFailures } from './failures.ts';
import { type Follower, settled } from './follow.ts';
import { handsFor, LANGUAGE, type Opened, PROMPT, STORE } from './hands.ts';
import { outcomesOf } from './outcomes.ts';
import { DONE, type DriverUnderTest, type Part } from './plot.ts';

const FEATURES = {
  question: 'Which features do you want?',
  header: 'Features',
  options: ['Logging', 'Metrics', 'Tracing'],
  multi: true,
};
const COLOUR = { question: 'Which colour?', header: 'Colour', options: ['Red', 'Blue'] };
const SHAPE = { question: 'Which shape?', header: 'Shape', options: ['Round', 'Square'] };
const LATE_MS = 1500;

/** What every driver must do, in the same way. */
export function describeDriver(under: DriverUnderTest): void {
  const { driver, abilities } = under;
  /** If an agent lacks an ability, the only test is that it says so. */
  const when = (able: boolean): typeof test => (able ? test : ((() => undefined) as unknown as typeof test));
  const asks = when(abilities.asks);
  const testOf = (part: Part) => (under.inLong?.includes(part) ? longTest : test);
  const hands = handsFor(under);
  const { open, follow, start, resume, answer, learned } = hands;

  describe.concurrent(`${under.title}: the drivers' conformance`, () => {
    const record = outcomesOf(under.recordedAs);
    let host: Program | undefined;
    beforeAll(async () => {
      if (!abilities.asks) return;
      host = await bundledProgram(join(import.meta.dirname, 'crash-host.ts'));
    });

    asks(
      'DRV-1 DRV-2 asks round after round in one session, and gets each answer for the call that asked',
      async (context) => {
        const world = await open(
          [
            { ask: [[LANGUAGE]] },
            { ask: [[STORE, FEATURES]] },
            { ask: [[COLOUR], [SHAPE]] },
            ...(abilities.permits ? [{ run: 'touch allowed.txt' }, { run: 'touch refused.txt' }] : []),
          ],
          context,
        );
        const agent = start(world);
        const { sessionId } = await agent.take('session');

        const { ask } = await agent.take('question');
        expect(JSON.stringify(ask.questions)).toContain(LANGUAGE.question);
        const words = 'Neither: “Go”, and {only} Go\\n\nReally.';
        await sleep(LATE_MS);
        expect(await answer(agent.run, ask, words)).toBe(true);

        const { ask: both } = await agent.take('question');
        expect(both.questions).toHaveLength(2);
        expect(await answer(agent.run, both, 'Memory', ['Logging', 'Tracing'])).toBe(true);

        await answerTwoCalls(agent);
        if (abilities.permits) await permitOneOfTwo(agent, world);

        expect(await agent.run.ended).toMatchObject({ reason: 'ok', text: DONE, sessionId });
        expect((await agent.take('usage')).usage.inputTokens).toBeGreaterThan(0);
        await answer(agent.run, ask, 'Zig'); // an answered question stays answered
        expect(await agent.run.answer('nobody-asked-this', settled(driver.name, ask, ['Zig']))).toBe(false);
        expect(learned(world, LANGUAGE, words)?.callId).toBe(ask.id);
        learned(world, STORE, 'Memory');
        learned(world, FEATURES, 'Logging, Tracing');
        learned(world, COLOUR, 'Red');
        learned(world, SHAPE, 'Round');
        record('a question is answered in the same session');
        record('two questions are open at once', abilities.atOnce ? 'yes' : 'one after the other');
      },
    );

    /** Two calls of one message; their answers may come in any order. */
    async function answerTwoCalls(agent: Follower): Promise<void> {
      const meant = ({ questions }: Ask) =>
        JSON.stringify(questions).includes(COLOUR.question) ? 'Red' : 'Round';
      const first = await agent.take('question');
      if (abilities.atOnce) {
        const second = await agent.take('question');
        // An agent may save the results of one message together, so the first is safe only once both are given.
        const given = [second, first].map(({ ask }) => answer(agent.run, ask, meant(ask)));
        expect(await Promise.all(given)).toEqual([true, true]);
        return;
      }
      // This agent handles one call at a time.
      const given = answer(agent.run, first.ask, meant(first.ask));
      const second = await agent.take('question');
      expect(await answer(agent.run, second.ask, meant(second.ask))).toBe(true);
      expect(await given).toBe(true);
    }

    async function permitOneOfTwo(agent: Follower, { setup }: Opened): Promise<void> {
      const first = await agent.take('permission');
      expect(JSON.stringify(first.input)).toContain('touch allowed.txt');
      expect(await agent.run.permit(first.id, true)).toBe(true);
      const second = await agent.take('permission');
      expect(await agent.run.permit(second.id, false, { note: 'No files, please.' })).toBe(true);
      await agent.run.ended;
      expect(existsSync(join(setup.cwd, 'allowed.txt'))).toBe(true);
      expect(existsSync(join(setup.cwd, 'refused.txt'))).toBe(false);
      expect(await agent.run.permit(second.id, true)).toBe(false);
      record('a command is approved, another rejected');
    }

    when(abilities.takesBack)(
      'DRV-2 a question that the agent takes back needs no answer',
      async (context) => {
        const world = await open([{ takeBack: LANGUAGE }], context);
        const agent = start(world);
        const { ask } = await agent.take('question');
        expect(await agent.take('cancelled')).toEqual({ kind: 'cancelled', askId: ask.id });
        expect(await answer(agent.run, ask, 'Rust')).toBe(false);
        expect(await agent.run.ended).toMatchObject({ reason: 'ok', text: DONE });
        expect(world.told(LANGUAGE.question)).toEqual([]);
      },
    );

    asks(
      'DRV-2 DRV-3 DRV-6 whatever ends it with a question open, no process is left, and the session is resumed with question and answer',
      async (context) => {
        const isWhole = isLong || !under.inLong?.includes('broken off');
        const questions = [LANGUAGE, STORE, ...(isWhole ? [FEATURES, COLOUR, SHAPE] : [])];
        const world = await open(
          questions.map((question) => ({ ask: [[question]] })),
          context,
        );
        const { sessionId, ask: language } = await killUsAsking(world);
        expect(world.told(LANGUAGE.question)).toEqual([]);

        const parking = { ...world, setup: { ...world.setup, parkAfterMs: 200 } };
        let agent = resume(parking, sessionId, language, 'Zig');
        const { ask: store } = await agent.take('question');
        learned(world, LANGUAGE, 'Zig');
        record('Fermata is killed with a question open, then resumed');

        if (abilities.parks) {
          expect(await agent.run.ended).toMatchObject({ reason: 'parked', sessionId });
          await untilDeserted(world.setup.cwd);
          expect(await answer(agent.run, store, 'Disk')).toBe(false);
          agent = resume(world, sessionId, store, 'Disk');
        } else {
          await sleep(LATE_MS);
          expect(await answer(agent.run, store, 'Disk')).toBe(true);
        }
        const next = isWhole ? await agent.take('question') : await agent.run.ended;
        expect(learned(world, STORE, 'Disk')?.callId).toBe(store.id);
        const waits = abilities.parks ? 'it waits without a process' : 'its process is kept';
        record('nobody answers for a while', waits);
        if (!('ask' in next)) {
          expect(next).toMatchObject({ reason: 'ok', text: DONE, sessionId });
          expect(agent.events.filter(({ kind }) => kind === 'question')).toEqual([]);
          return;
        }
        const features = next.ask;
        expect(JSON.stringify(features.questions), 'it does not ask again').toContain(FEATURES.question);

        await agent.run.interrupt();
        expect(await agent.run.ended).toMatchObject({
          reason: 'interrupted',
          message: expect.stringContaining(driver.name),
        });
        await agent.take('cancelled');
        expect(await answer(agent.run, features, ['Metrics'])).toBe(false);
        agent = resume(world, sessionId, features, ['Logging']);
        const { ask: colour } = await agent.take('question');
        learned(world, FEATURES, 'Logging');
        record('interrupted with a question open, then resumed');

        await sleep(under.savedAfterMs);
        killAgent(world.setup.cwd);
        expect(await agent.run.ended).toMatchObject({
          reason: 'crashed',
          message: expect.stringContaining(driver.name),
        });
        expect(await answer(agent.run, colour, 'Blue')).toBe(false);
        agent = resume(world, sessionId, colour, 'Red');
        const { ask: shape } = await agent.take('question');
        learned(world, COLOUR, 'Red');
        record('the agent is killed with a question open, then resumed');

        expect(processesIn(world.setup.cwd).length).toBeGreaterThan(0);
        expect(await agent.run.stop()).toMatchObject({ reason: 'stopped' });
        await untilDeserted(world.setup.cwd);
        expect(await agent.run.stop()).toMatchObject({ reason: 'stopped' });
        agent = resume(world, sessionId, shape, 'Round');
        expect(await agent.run.ended).toMatchObject({ reason: 'ok', text: DONE, sessionId });
        learned(world, SHAPE, 'Round');
      },
    );

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

    if (abilities.fails) describeFailures(hands, record, testOf);
    if (under.recordedAs) describeBackground(hands, record, testOf('background'));

    test('DRV-5 a missing program is reported, by the probe and by the run', async (context) => {
      const world = await open([], context);
      const setup = { ...world.setup, program: './surely-not-there', mustAsk: false };
      expect(await driver.probe(setup)).toMatchObject({
        found: false,
        message: expect.stringContaining('surely-not-there'),
      });
      const agent = follow(world, driver.start(setup, PROMPT));
      expect(await agent.run.ended).toMatchObject({
        reason: 'missing',
        message: expect.stringContaining('surely-not-there'),
        exitCode: null,
      });
    });

    test('DRV-1 the probe finds the program', async (context) => {
      const { setup } = await open([], context);
      expect(await driver.probe(setup)).toMatchObject({ found: true, version: expect.stringMatching(/./) });
    });

    when(!abilities.asks)(
      'DRV-5 an agent that cannot ask says so, before it does anything',
      async (context) => {
        const world = await open([{ ask: [[LANGUAGE]] }], context);
        const agent = start(world, { mustAsk: true });
        const refused = {
          reason: 'cannot_ask',
          exitCode: null,
          message: expect.stringContaining('cannot ask questions'),
        };
        expect(await agent.run.ended).toMatchObject(refused);
        const ask = { id: 'x', questions: [LANGUAGE] };
        expect(await answer(agent.run, ask, 'Rust')).toBe(false);
        expect(await agent.run.permit('x', true)).toBe(false);
        expect(await resume(world, 'x', ask, 'Rust').run.ended).toMatchObject(refused);
      },
    );
  });
}
