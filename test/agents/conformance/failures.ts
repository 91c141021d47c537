import { expect, type TestAPI } from 'vitest';
import type { AgentRun } from '../../../src/agents/driver.ts';
import { OUTAGES } from '../../support/model/outages.ts';
import { killAgent } from '../../support/processes.ts';
import { type Hands, LANGUAGE } from './hands.ts';
import { type Mood, well } from './mood.ts';
import type { recordedScenarios } from './outcomes.ts';
import { DONE, type World } from './plot.ts';

/** What goes wrong once the agent has its answer: the session keeps it, and nobody is asked again. */
export function describeFailures(
  { under, open, start, bring, answer, learned }: Hands,
  scenario: ReturnType<typeof recordedScenarios>,
  test: TestAPI,
): void {
  const needsMood = ({ mood }: World) => {
    if (!mood) throw new Error(`The model of ${under.title} has no moods.`);
    return mood;
  };

  /** The agent has its answer, and this is how its model takes it. */
  const answered = async (then: Partial<Mood>, skip: Parameters<Hands['open']>[1]) => {
    const world = await open([{ ask: [[LANGUAGE]] }], skip);
    const mood = needsMood(world);
    const agent = start(world);
    const { sessionId } = await agent.take('session');
    const { ask } = await agent.take('question');
    Object.assign(mood, then);
    expect(await answer(agent.run, ask, 'Zig')).toBe(true);
    return { world, mood, agent, sessionId };
  };

  /** The program itself retries after every other failure, and gives up when its key is refused. */
  const refused = async (run: AgentRun, mood: Mood, sessionId: string) => {
    expect(await run.ended).toMatchObject({ reason: 'api_error', sessionId });
    expect(mood.fails).toEqual([401]);
  };

  const recovered = async (world: World, mood: Mood, sessionId: string) => {
    Object.assign(mood, well());
    const again = bring(world, sessionId);
    expect(await again.run.ended).toMatchObject({ reason: 'ok', text: DONE, sessionId });
    expect(again.events.filter(({ kind }) => kind === 'question')).toEqual([]);
  };

  test(
    'HEAR-5 HEAR-11 the model fails while a question is open: the question stays, and its answer arrives',
    scenario('the model fails while a question is open', async ({ skip }) => {
      const world = await open('beside a sub-agent', skip);
      const mood = needsMood(world);
      mood.fails = OUTAGES;
      const agent = start(world);
      const { ask } = await agent.take('question');
      await expect.poll(() => mood.failed).toEqual(new Set(OUTAGES));
      expect(await answer(agent.run, ask, 'Zig')).toBe(true);
      expect(await agent.run.ended).toMatchObject({ reason: 'ok', text: DONE });
      expect(agent.events.filter(({ kind }) => kind === 'question' || kind === 'cancelled')).toEqual([]);
      learned(world, LANGUAGE, 'Zig');
    }),
  );

  test(
    'HEAR-4 HEAR-11 the agent is killed right after the answer: the resumed session has it',
    scenario('the agent is killed right after the answer, then resumed', async ({ skip }) => {
      const { world, mood, agent, sessionId } = await answered({ is: 'silent' }, skip);
      killAgent(world.setup.cwd);
      expect(await agent.run.ended).toMatchObject({ reason: 'crashed' });
      await recovered(world, mood, sessionId);
      learned(world, LANGUAGE, 'Zig');
    }),
  );

  test(
    'HEAR-5 HEAR-11 the model fails right after the answer and during the resume: the session is kept, with the answer',
    scenario(
      'the model fails right after the answer and during the resume, then resumed again',
      async (at) => {
        const { world, mood, agent, sessionId } = await answered({ fails: OUTAGES }, at.skip);
        await refused(agent.run, mood, sessionId);
        mood.fails = OUTAGES;
        await refused(bring(world, sessionId).run, mood, sessionId);
        await recovered(world, mood, sessionId);
        learned(world, LANGUAGE, 'Zig');
      },
    ),
  );
}
