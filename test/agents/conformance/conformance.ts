import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Ask } from '../../../src/agents/driver.ts';
import { longTest } from '../../support/long-test.ts';
import { describeBackground } from './background.ts';
import { describeEndings } from './endings.ts';
import { describeFailures } from './failures.ts';
import { type Follower, settled } from './follow.ts';
import { COLOUR, FEATURES, handsFor, LANGUAGE, LATE_MS, type Opened, PROMPT, SHAPE, STORE } from './hands.ts';
import { outcomesOf } from './outcomes.ts';
import { DONE, type DriverUnderTest, type Part } from './plot.ts';
import { describeWords } from './words.ts';

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

    if (abilities.asks) describeEndings(hands, record, test);
    if (abilities.hears) describeWords(hands, test);
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
          message: expect.stringContaining('cannot ask here'),
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
