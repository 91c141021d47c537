import { expect, type TestAPI } from 'vitest';
import type { AgentRun } from '../../../src/agents/driver.ts';
import { OUTAGES } from '../../support/model/outages.ts';
import { killAgent } from '../../support/processes.ts';
import { type Hands, LANGUAGE, STORE } from './hands.ts';
import { type Mood, well } from './mood.ts';
import type { Recorder } from './outcomes.ts';
import { DONE, type Part, type World } from './plot.ts';

/** What goes wrong once the agent has its answer: the session keeps it, and nobody is asked again. */
export function describeFailures(
  { under, open, start, bring, answer, learned }: Hands,
  record: Recorder,
  testOf: (part: Part) => TestAPI,
): void {
  const needsMood = ({ mood }: World) => {
    if (!mood) throw new Error(`The model of ${under.title} has no moods.`);
    return mood;
  };

  /** The program itself retries after every other failure, and gives up when its key is refused. */
  const refused = async (run: AgentRun, mood: Mood, sessionId: string) => {
    expect(await run.ended).toMatchObject({ reason: 'api_error', sessionId });
    expect(mood.fails).toEqual([401]);
  };

  testOf('outage while asking')(
    'HEAR-5 HEAR-11 the model fails while a question is open: the question stays, and its answer arrives',
    async (context) => {
      const world = await open('beside a sub-agent', context);
      const mood = needsMood(world);
      mood.fails = OUTAGES;
      const agent = start(world);
      const { ask } = await agent.take('question');
      await context.expect.poll(() => mood.failed).toEqual(new Set(OUTAGES));
      expect(await answer(agent.run, ask, 'Zig')).toBe(true);
      expect(await agent.run.ended).toMatchObject({ reason: 'ok', text: DONE });
      expect(agent.events.filter(({ kind }) => kind === 'question' || kind === 'cancelled')).toEqual([]);
      learned(world, LANGUAGE, 'Zig');
      record('the model fails while a question is open');
    },
  );

  testOf('after the answer')(
    'HEAR-4 HEAR-5 HEAR-11 killed right after an answer, then without its model after the next one and during the resume: the session keeps both',
    async (context) => {
      const world = await open([{ ask: [[LANGUAGE]] }, { ask: [[STORE]] }], context);
      const mood = needsMood(world);
      const first = start(world);
      const { sessionId } = await first.take('session');
      const language = await first.take('question');
      mood.is = 'silent';
      expect(await answer(first.run, language.ask, 'Zig')).toBe(true);
      killAgent(world.setup.cwd);
      expect(await first.run.ended).toMatchObject({ reason: 'crashed' });

      Object.assign(mood, well());
      const second = bring(world, sessionId);
      const store = await second.take('question');
      learned(world, LANGUAGE, 'Zig');
      expect(JSON.stringify(store.ask.questions), 'nobody is asked again').toContain(STORE.question);
      record('the agent is killed right after the answer, then resumed');
      mood.fails = OUTAGES;
      expect(await answer(second.run, store.ask, 'Disk')).toBe(true);
      await refused(second.run, mood, sessionId);

      mood.fails = OUTAGES;
      await refused(bring(world, sessionId).run, mood, sessionId);

      Object.assign(mood, well());
      const last = bring(world, sessionId);
      expect(await last.run.ended).toMatchObject({ reason: 'ok', text: DONE, sessionId });
      expect(last.events.filter(({ kind }) => kind === 'question')).toEqual([]);
      learned(world, LANGUAGE, 'Zig');
      learned(world, STORE, 'Disk');
      record('the model fails right after the answer and during the resume, then resumed again');
    },
  );
}
