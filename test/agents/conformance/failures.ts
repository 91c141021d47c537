import { expect, type TestAPI } from 'vitest';
import { killAgent } from '../../support/processes.ts';
import { type Hands, LANGUAGE } from './hands.ts';
import type { Mood } from './mood.ts';
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

  /** The agent has its answer, and its model is in this mood when it comes. */
  const answered = async (then: Mood['is'], skip: Parameters<Hands['open']>[1]) => {
    const world = await open([{ ask: [[LANGUAGE]] }], skip);
    const mood = needsMood(world);
    const agent = start(world);
    const { sessionId } = await agent.take('session');
    const { ask } = await agent.take('question');
    mood.is = then;
    expect(await answer(agent.run, ask, 'Zig')).toBe(true);
    return { world, mood, agent, sessionId };
  };

  const recovered = async (world: World, mood: Mood, sessionId: string) => {
    mood.is = 'well';
    const again = bring(world, sessionId);
    expect(await again.run.ended).toMatchObject({ reason: 'ok', text: DONE, sessionId });
    return again;
  };

  test(
    'HEAR-5 HEAR-11 the model refuses right after the answer: the session goes on with it when it is resumed',
    scenario('the model refuses right after the answer, then resumed', async ({ skip }) => {
      const { world, mood, agent, sessionId } = await answered('refuses', skip);
      expect(await agent.run.ended).toMatchObject({ reason: 'api_error', sessionId });
      await recovered(world, mood, sessionId);
      learned(world, LANGUAGE, 'Zig');
    }),
  );

  test(
    'HEAR-4 HEAR-11 the agent is killed right after the answer: the resumed session has it',
    scenario('the agent is killed right after the answer, then resumed', async ({ skip }) => {
      const { world, mood, agent, sessionId } = await answered('silent', skip);
      killAgent(world.setup.cwd);
      expect(await agent.run.ended).toMatchObject({ reason: 'crashed' });
      const again = await recovered(world, mood, sessionId);
      expect(again.events.filter(({ kind }) => kind === 'question')).toEqual([]);
      learned(world, LANGUAGE, 'Zig');
    }),
  );

  test(
    'HEAR-5 HEAR-11 the model refuses during the resume: the session is kept for the next one',
    scenario('the model refuses during the resume, then resumed again', async ({ skip }) => {
      const { world, mood, agent, sessionId } = await answered('refuses', skip);
      await agent.run.ended;
      expect(await bring(world, sessionId).run.ended).toMatchObject({ reason: 'api_error', sessionId });
      await recovered(world, mood, sessionId);
      learned(world, LANGUAGE, 'Zig');
    }),
  );
}
