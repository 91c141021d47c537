import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ScenarioBuilder } from '../../../src/testing.ts';
import { PLAN } from '../../plan/convert/support/plans.ts';
import { fermata, freshFolder } from '../../support/fermata.ts';

export const SOURCE = '# Shop\n\nBuild a shop in two steps.\n';

/** A project with a source in it, and an agent that gives these answers, one process after the other. */
export function place(answers: string[] | ScenarioBuilder = [PLAN], source = SOURCE) {
  const cwd = freshFolder();
  const handle = (Array.isArray(answers) ? answering(answers) : answers).build();
  onTestFinished(() => handle.remove());
  writeFileSync(join(cwd, 'shop.md'), source);
  const env: Record<string, string> = { FERMATA_HOME: join(cwd, '..', 'home'), ...handle.env };
  return { cwd, env, handle };
}

export function answering([first = '', ...rest]: string[]): ScenarioBuilder {
  const scenario = new ScenarioBuilder().uses(100, 10).respondsWithText(first);
  for (const text of rest) scenario.nextInvocation().uses(100, 10).respondsWithText(text);
  return scenario;
}

export type Place = ReturnType<typeof place>;

export const convert = (at: Place, ...args: string[]) =>
  fermata(['convert', 'shop.md', '--agent', 'scripted', ...args], at);

export const prompts = (at: Place) => at.handle.invocations().map((turn) => JSON.stringify(turn));

/** An agent of a few lines of shell. */
export function program(at: Place, script: string): string[] {
  writeFileSync(join(at.cwd, 'agent.sh'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return ['--agent', 'command', '--agent-command', './agent.sh'];
}
