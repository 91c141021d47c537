import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Ask } from '../../../src/agents/driver.ts';
import { bundleProgram, type Program } from '../../support/bundled-program.ts';
import { killAgent, processesIn, untilDeserted } from '../../support/processes.ts';
import { describeBackground } from './background.ts';
import { describeFailures } from './failures.ts';
import { settled } from './follow.ts';
import { handsFor, LANGUAGE, PROMPT, STORE } from './hands.ts';
import { recordedScenarios } from './outcomes.ts';
import { DONE, type DriverUnderTest } from './plot.ts';

const FEATURES = {
  question: 'Which features do you want?',
  header: 'Features',
  options: ['Logging', 'Metrics', 'Tracing'],
  multi: true,
};
const LATE_MS = 1500;

/** What every driver has to do, in the same way. */
export function describeDriver(under: DriverUnderTest): void {
  const { driver, abilities } = under;
  /** What an agent cannot do has no test here but the one that says so. */
  const when = (able: boolean): typeof test => (able ? test : ((() => undefined) as unknown as typeof test));
  const asks = when(abilities.asks);
  const hands = handsFor(under);
  const { open, follow, start, resume, answer, learned } = hands;

  describe(`${under.title}: the drivers' conformance`, () => {
    const scenario = recordedScenarios(under.recordedAs);
    let host: Program;
    beforeAll(async () => {
      host = await bundleProgram(join(import.meta.dirname, 'crash-host.ts'));
      // Above the bundle lie the programs of the package, as in an installed one.
      symlinkSync(join(import.meta.dirname, '../../../bin'), join(dirname(host.file), 'bin'));
    });
    afterAll(() => host?.remove());

    asks(
      'DRV-1 DRV-2 asks one question and gets the answer in the same session',
      scenario('a question is answered in the same session', async ({ skip }) => {
        const world = await open([{ ask: [[LANGUAGE]] }], skip);
        const agent = start(world);
        const { sessionId } = await agent.take('session');
        const { ask } = await agent.take('question');
        expect(JSON.stringify(ask.questions)).toContain(LANGUAGE.question);
        expect(await answer(agent.run, ask, 'Zig')).toBe(true);
        expect(await agent.run.ended).toMatchObject({ reason: 'ok', text: DONE, sessionId });
        expect(learned(world, LANGUAGE, 'Zig')?.callId).toBe(ask.id);
        expect((await agent.take('usage')).usage.inputTokens).toBeGreaterThan(0);
      }),
    );

    asks('DRV-2 asks round after round', async ({ skip }) => {
      const world = await open([{ ask: [[LANGUAGE]] }, { ask: [[STORE]] }], skip);
      const agent = start(world);
      for (const value of ['Rust', 'Disk']) {
        const { ask } = await agent.take('question');
        expect(await answer(agent.run, ask, value)).toBe(true);
      }
      expect(await agent.run.ended).toMatchObject({ reason: 'ok' });
      learned(world, LANGUAGE, 'Rust');
      learned(world, STORE, 'Disk');
    });

    asks('DRV-2 asks several questions in one call', async ({ skip }) => {
      const world = await open([{ ask: [[LANGUAGE, STORE]] }], skip);
      const agent = start(world);
      const { ask } = await agent.take('question');
      expect(ask.questions).toHaveLength(2);
      await answer(agent.run, ask, 'Rust', 'Memory');
      expect(await agent.run.ended).toMatchObject({ reason: 'ok' });
      learned(world, LANGUAGE, 'Rust');
      learned(world, STORE, 'Memory');
    });

    asks(
      'DRV-2 asks several at once: each answer reaches its own call, in any order',
      scenario('two questions are open at once', async ({ skip }) => {
        const world = await open([{ ask: [[LANGUAGE], [STORE]] }], skip);
        const agent = start(world);
        // The calls of one message may come in any order.
        const meant = ({ questions }: Ask) =>
          JSON.stringify(questions).includes(LANGUAGE.question) ? 'Zig' : 'Disk';
        const first = await agent.take('question');
        if (abilities.atOnce) {
          const second = await agent.take('question');
          // An agent may keep the outcomes of one message together: the first is safe once both are given.
          const given = [second, first].map(({ ask }) => answer(agent.run, ask, meant(ask)));
          expect(await Promise.all(given)).toEqual([true, true]);
        } else {
          // One after the other is all that this agent can.
          const given = answer(agent.run, first.ask, meant(first.ask));
          const second = await agent.take('question');
          expect(await answer(agent.run, second.ask, meant(second.ask))).toBe(true);
          expect(await given).toBe(true);
        }
        expect(await agent.run.ended).toMatchObject({ reason: 'ok' });
        learned(world, LANGUAGE, 'Zig');
        learned(world, STORE, 'Disk');
        return abilities.atOnce ? 'yes' : 'one after the other';
      }),
    );

    asks('DRV-2 takes several options of a question that allows it', async ({ skip }) => {
      const world = await open([{ ask: [[FEATURES]] }], skip);
      const agent = start(world);
      const { ask } = await agent.take('question');
      await answer(agent.run, ask, ['Logging', 'Tracing']);
      expect(await agent.run.ended).toMatchObject({ reason: 'ok' });
      learned(world, FEATURES, 'Logging, Tracing');
    });

    asks('DRV-2 takes words that are none of the options', async ({ skip }) => {
      const world = await open([{ ask: [[LANGUAGE]] }], skip);
      const agent = start(world);
      const { ask } = await agent.take('question');
      const words = 'Neither: “Go”, and {only} Go\\n\nReally.';
      await answer(agent.run, ask, words);
      expect(await agent.run.ended).toMatchObject({ reason: 'ok' });
      learned(world, LANGUAGE, words);
    });

    asks('DRV-2 waits for a late answer, and takes none after the end', async ({ skip }) => {
      const world = await open([{ ask: [[LANGUAGE]] }], skip);
      const agent = start(world);
      const { ask } = await agent.take('question');
      await sleep(LATE_MS);
      expect(await answer(agent.run, ask, 'Rust')).toBe(true);
      expect(await agent.run.ended).toMatchObject({ reason: 'ok' });
      await answer(agent.run, ask, 'Zig'); // what it has, it has
      expect(await agent.run.answer('nobody-asked-this', settled(driver.name, ask, ['Zig']))).toBe(false);
      learned(world, LANGUAGE, 'Rust');
    });

    when(abilities.takesBack)(
      'DRV-2 a question that the agent takes back needs no answer',
      async ({ skip }) => {
        const world = await open([{ takeBack: LANGUAGE }], skip);
        const agent = start(world);
        const { ask } = await agent.take('question');
        expect(await agent.take('cancelled')).toEqual({ kind: 'cancelled', askId: ask.id });
        expect(await answer(agent.run, ask, 'Rust')).toBe(false);
        expect(await agent.run.ended).toMatchObject({ reason: 'ok', text: DONE });
        expect(world.told(LANGUAGE.question)).toEqual([]);
      },
    );

    asks(
      'DRV-2 an interrupt takes the question back; the session can be resumed with the answer',
      scenario('interrupted with a question open, then resumed', async ({ skip }) => {
        const world = await open([{ ask: [[LANGUAGE]] }], skip);
        const agent = start(world);
        const { sessionId } = await agent.take('session');
        const { ask } = await agent.take('question');
        await agent.run.interrupt();
        expect(await agent.run.ended).toMatchObject({ reason: 'interrupted' });
        await agent.take('cancelled');
        expect(await answer(agent.run, ask, 'Rust')).toBe(false);
        const again = resume(world, sessionId, ask, 'Zig');
        expect(await again.run.ended).toMatchObject({ reason: 'ok', sessionId });
        learned(world, LANGUAGE, 'Zig');
      }),
    );

    asks(
      'DRV-3 the agent crashes with a question open: it is resumed with question and answer',
      scenario('the agent is killed with a question open, then resumed', async ({ skip }) => {
        const world = await open([{ ask: [[LANGUAGE]] }], skip);
        const agent = start(world);
        const { sessionId } = await agent.take('session');
        const { ask } = await agent.take('question');
        await sleep(under.savedAfterMs);
        killAgent(world.setup.cwd);
        expect(await agent.run.ended).toMatchObject({
          reason: 'crashed',
          message: expect.stringContaining(driver.name),
        });
        expect(await answer(agent.run, ask, 'Rust')).toBe(false);
        const again = resume(world, sessionId, ask, 'Zig');
        expect(await again.run.ended).toMatchObject({ reason: 'ok', text: DONE, sessionId });
        learned(world, LANGUAGE, 'Zig');
      }),
    );

    asks(
      'DRV-3 DRV-6 we are killed with a question open: no agent is left, and another process resumes it',
      scenario('Fermata is killed with a question open, then resumed', async ({ skip }) => {
        const world = await open([{ ask: [[LANGUAGE]] }], skip);
        const words = JSON.stringify({ name: driver.name, setup: world.setup });
        const us = spawn(process.execPath, [host.file, words], { stdio: ['ignore', 'pipe', 'inherit'] });
        onTestFinished(() => void us.kill('SIGKILL'));
        const [line] = await once(us.stdout, 'data');
        const { sessionId, ask } = JSON.parse(String(line)) as { sessionId: string; ask: Ask };
        expect(processesIn(world.setup.cwd).length).toBeGreaterThan(0);
        await sleep(under.savedAfterMs);
        us.kill('SIGKILL');
        await untilDeserted(world.setup.cwd);
        expect(world.told(LANGUAGE.question)).toEqual([]);
        const again = resume(world, sessionId, ask, 'Zig');
        expect(await again.run.ended).toMatchObject({ reason: 'ok', text: DONE, sessionId });
        learned(world, LANGUAGE, 'Zig');
      }),
    );

    asks(
      'DRV-3 nobody answers: the run is parked without a process, or its process is kept',
      scenario('nobody answers for a while', async ({ skip }) => {
        const world = await open([{ ask: [[LANGUAGE]] }], skip);
        const agent = start(world, { parkAfterMs: 200 });
        const { sessionId } = await agent.take('session');
        const { ask } = await agent.take('question');
        if (!abilities.parks) {
          await sleep(LATE_MS);
          expect(await answer(agent.run, ask, 'Rust')).toBe(true);
          expect(await agent.run.ended).toMatchObject({ reason: 'ok' });
          learned(world, LANGUAGE, 'Rust');
          return 'its process is kept';
        }
        expect(await agent.run.ended).toMatchObject({ reason: 'parked', sessionId });
        await untilDeserted(world.setup.cwd);
        expect(await answer(agent.run, ask, 'Rust')).toBe(false);
        const again = resume(world, sessionId, ask, 'Rust');
        expect(await again.run.ended).toMatchObject({ reason: 'ok', text: DONE, sessionId });
        expect(learned(world, LANGUAGE, 'Rust')?.callId).toBe(ask.id);
        expect(again.events.filter(({ kind }) => kind === 'question')).toEqual([]);
        return 'it waits without a process';
      }),
    );

    when(abilities.permits)(
      'DRV-1 asks permission for a tool, which then runs or does not',
      scenario('a command is approved, another rejected', async ({ skip }) => {
        const world = await open([{ run: 'touch allowed.txt' }, { run: 'touch refused.txt' }], skip);
        const agent = start(world);
        const first = await agent.take('permission');
        expect(JSON.stringify(first.input)).toContain('touch allowed.txt');
        expect(await agent.run.permit(first.id, true)).toBe(true);
        const second = await agent.take('permission');
        expect(await agent.run.permit(second.id, false, { note: 'No files, please.' })).toBe(true);
        expect(await agent.run.ended).toMatchObject({ reason: 'ok', text: DONE });
        expect(existsSync(join(world.setup.cwd, 'allowed.txt'))).toBe(true);
        expect(existsSync(join(world.setup.cwd, 'refused.txt'))).toBe(false);
        expect(await agent.run.permit(second.id, true)).toBe(false);
      }),
    );

    asks('DRV-6 is stopped with a question open, and nothing is left', async ({ skip }) => {
      const world = await open([{ ask: [[LANGUAGE]] }], skip);
      const agent = start(world);
      await agent.take('question');
      expect(processesIn(world.setup.cwd).length).toBeGreaterThan(0);
      expect(await agent.run.stop()).toMatchObject({ reason: 'stopped' });
      await untilDeserted(world.setup.cwd);
      expect(await agent.run.stop()).toMatchObject({ reason: 'stopped' });
    });

    if (abilities.fails) describeFailures(hands, scenario, test);
    if (under.recordedAs) describeBackground(hands, scenario, test);

    test('DRV-5 a missing program is told, by the probe and by the run', async ({ skip }) => {
      const world = await open([], skip);
      const setup = { ...world.setup, program: './surely-not-there', mustAsk: false };
      expect(await driver.probe(setup)).toMatchObject({
        found: false,
        message: expect.stringContaining('surely-not-there'),
      });
      const agent = follow(driver.start(setup, PROMPT));
      expect(await agent.run.ended).toMatchObject({
        reason: 'missing',
        message: expect.stringContaining('surely-not-there'),
        exitCode: null,
      });
    });

    test('DRV-1 the probe finds the program', async ({ skip }) => {
      const { setup } = await open([], skip);
      expect(await driver.probe(setup)).toMatchObject({ found: true, version: expect.stringMatching(/./) });
    });

    when(!abilities.asks)(
      'DRV-5 an agent that cannot ask says so, before it does anything',
      async ({ skip }) => {
        const world = await open([{ ask: [[LANGUAGE]] }], skip);
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
