import type { AgentSetup } from '../../driver.ts';
import { agentEnvironment } from '../../process/environment.ts';
import { findProgram } from '../../process/program.ts';
import { modeEnvironment } from './argv.ts';
import type { ClaudeOptions } from './options.ts';

/** A program that is there, with what it is always started with. */
export interface Program {
  path: string;
  args: string[];
  env: NodeJS.ProcessEnv;
}

/** The program of this set-up; a sentence where there is none. */
export function programOf(options: ClaudeOptions, setup: AgentSetup): Program | string {
  const wanted = setup.program ?? options.program;
  const path = findProgram(wanted, setup.env, setup.cwd);
  if (path === undefined) {
    const where = wanted.includes('/') ? 'is no program' : 'was not found on the PATH';
    return `${options.name}: "${wanted}" ${where}. ${options.advice}`;
  }
  // The driver's own arguments belong to its own program.
  const own = setup.program === undefined ? options.args : [];
  const additions = { ...modeEnvironment(options.mode), ...setup.identity };
  const env = agentEnvironment(setup.env, options.needs(setup.env), additions);
  return { path, args: [...own, ...(setup.args ?? [])], env };
}
