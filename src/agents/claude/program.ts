import type { AgentSetup } from '../driver.ts';
import { agentEnvironment } from '../process/environment.ts';
import { findProgram, isScriptedAgent, SCENARIO } from '../process/program.ts';
import { modeEnvironment } from './argv.ts';
import type { ClaudeOptions } from './options.ts';

/** An installed program with the arguments that it always gets. */
export interface Program {
  path: string;
  args: string[];
  env: NodeJS.ProcessEnv;
}

/** The program for this setup, or a sentence that says why there is none. */
export function programOf(options: ClaudeOptions, setup: AgentSetup): Program | string {
  const wanted = setup.program ?? options.program;
  const path = findProgram(wanted, setup.env, setup.cwd);
  if (path === undefined) {
    const where = wanted.includes('/') ? 'is not a program' : 'was not found on the PATH';
    return `${options.name}: "${wanted}" ${where}. ${options.advice}`;
  }
  // The driver's own arguments are only for its own program, not for one that the setup names.
  const own = setup.program === undefined ? options.args : [];
  const needs = options.needs(setup.env);
  const needed = isScriptedAgent(path) ? new RegExp(`${needs.source}|${SCENARIO.source}`) : needs;
  const env = agentEnvironment(setup, needed, modeEnvironment(options.mode));
  return { path, args: [...own, ...(setup.args ?? [])], env };
}
