import { findProgram } from '../../agents/process/program.ts';
import { findDriver } from '../../agents/registry.ts';
import { requireSandbox } from '../../agents/sandbox/require-sandbox.ts';
import { isSandboxed } from '../../agents/sandbox/sandbox.ts';
import { agentNames } from '../../schema/agent-name.ts';
import { FermataError } from '../../schema/error.ts';
import { agentSetup } from '../agent/choose-agent.ts';
import type { Context } from '../context.ts';

type Where = Pick<Context, 'settings' | 'env' | 'cwd'>;

/** The ability that a worker needs to run this agent; the variants of an agent use the same program. */
export const abilityOf = (agent: string): string => agent.replace(/^claude-.*/, 'claude');

/** These need no program that could be missing. */
const alwaysAvailable = ['command', 'scripted'];

/**
 * The abilities of this machine: those the person lists, after checking each agent; else every agent found here. Throws if its
 * agents should run in a sandbox and cannot.
 */
export async function abilitiesHere(where: Where, said: readonly string[] | undefined): Promise<string[]> {
  const inSandbox = isSandboxed(where.env) ? ['sandbox'] : [];
  if (inSandbox.length > 0) requireSandbox(where.env);
  const agents = [...new Set(agentNames.map(abilityOf))];
  const found: string[] = [];
  for (const agent of agents.filter((name) => said === undefined || said.includes(name))) {
    const missing = alwaysAvailable.includes(agent) ? undefined : await missingProgram(where, agent);
    if (missing === undefined) found.push(agent);
    else if (said) throw new FermataError('no_agent', `--can ${agent}: ${missing}`);
  }
  // Only for reviews; it has no driver.
  if (said === undefined && findProgram('gemini', where.env, where.cwd)) found.push('gemini');
  const others = (said ?? []).filter((ability) => !agents.includes(ability));
  return [...new Set([...found, ...others, ...inSandbox])].sort();
}

async function missingProgram(where: Where, agent: string): Promise<string | undefined> {
  const driver = await findDriver(agent);
  const found = await driver.probe(agentSetup(where, driver, { cwd: where.cwd, mustAsk: false }));
  return found.found ? undefined : found.message;
}
