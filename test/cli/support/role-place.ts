import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ScenarioBuilder } from '../../../src/testing.ts';
import { freshFolder } from '../../support/fermata.ts';

/** A scripted agent that gives the next answer at each start. */
export function says(...answers: string[]): ScenarioBuilder {
  return answers.reduce(
    (scenario, answer, index) =>
      (index === 0 ? scenario : scenario.nextInvocation()).respondsWithText(answer),
    new ScenarioBuilder(),
  );
}

/** A project with its own ledger, and an agent that plays this. */
export function rolePlace(scenario: ScenarioBuilder) {
  const cwd = freshFolder();
  const handle = scenario.build();
  onTestFinished(() => handle.remove());
  const env: Record<string, string> = {
    FERMATA_HOME: join(cwd, '..', 'home'),
    FERMATA_PROJECT: 'p',
    ...handle.env,
  };
  return { cwd, env, handle };
}
