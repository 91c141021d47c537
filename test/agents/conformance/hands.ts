import { expect, type TestContext } from 'vitest';
import type { AgentRun, AgentSetup, Ask } from '../../../src/agents/driver.ts';
import type { Notification } from '../../../src/schema/notification.ts';
import type { Answer } from '../../../src/schema/question.ts';
import { untilDeserted } from '../../support/processes.ts';
import { Follower, settled } from './follow.ts';
import type { DriverUnderTest, Play, PlotQuestion, World } from './plot.ts';

export const LANGUAGE = { question: 'Which language?', header: 'Language', options: ['Rust', 'Zig'] };
export const STORE = { question: 'Which store?', header: 'Store', options: ['Disk', 'Memory'] };
export const FEATURES = {
  question: 'Which features do you want?',
  header: 'Features',
  options: ['Logging', 'Metrics', 'Tracing'],
  multi: true,
};
export const COLOUR = { question: 'Which colour?', header: 'Colour', options: ['Red', 'Blue'] };
export const SHAPE = { question: 'Which shape?', header: 'Shape', options: ['Round', 'Square'] };
/** An answer that takes a while. */
export const LATE_MS = 1500;
export const PROMPT = 'Plan the project.';

/** A world of one test. The tests of a suite run at the same time, so each has its own `onTestFinished`. */
export interface Opened extends World {
  onTestFinished: TestContext['onTestFinished'];
}

/** What the tests of the suite do with a driver. */
export type Hands = ReturnType<typeof handsFor>;

export function handsFor(under: DriverUnderTest) {
  const { driver } = under;

  /** A world that must be empty again after the test. */
  async function open(play: Play, { skip, onTestFinished }: TestContext): Promise<Opened> {
    const world = await under.open(play, skip);
    onTestFinished(async () => {
      await untilDeserted(world.setup.cwd);
      await world.close();
    });
    return { ...world, onTestFinished };
  }

  function follow({ onTestFinished }: Opened, run: AgentRun): Follower {
    onTestFinished(async () => {
      await run.stop();
    });
    return new Follower(run);
  }

  const start = (world: Opened, more: Partial<AgentSetup> = {}) =>
    follow(world, driver.start({ ...world.setup, ...more }, PROMPT));

  /** Resumes a session with what was settled since. */
  const bring = (world: Opened, sessionId: string | undefined, ...delivered: Notification[]) => {
    const [first] = delivered;
    const recipe = { agent: driver.name, sessionId, ...first?.resume, cwd: world.setup.cwd };
    return follow(world, driver.resume(world.setup, recipe, delivered));
  };

  const resume = (world: Opened, sessionId: string | undefined, ask: Ask, ...answers: Answer[]) =>
    bring(world, sessionId, settled(driver.name, ask, answers, sessionId));

  const answer = (run: AgentRun, ask: Ask, ...answers: Answer[]) =>
    run.answer(ask.id, settled(driver.name, ask, answers));

  /** The agent got the answer exactly once. */
  const learned = (world: World, question: PlotQuestion, ...values: string[]) => {
    const told = world.told(question.question);
    expect(told, `what it was told about "${question.question}"`).toHaveLength(1);
    for (const value of values) expect(told[0]?.text).toContain(value);
    return told[0];
  };

  return { under, open, follow, start, bring, resume, answer, learned };
}
