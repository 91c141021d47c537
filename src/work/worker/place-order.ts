import { shownAddress } from '../../git/remote/address.ts';
import { FermataError } from '../../schema/error.ts';
import { requireAgent } from '../agent/choose-agent.ts';
import type { AgentsOptions } from '../agent/open-agents.ts';
import type { WorkRun } from '../run/work-run.ts';
import { abilityOf } from './abilities.ts';

export interface QueueOptions extends AgentsOptions {
  skipAudit?: boolean;
  /** What a worker must have besides the agent. */
  needs?: string[];
  /** The ability of the only worker that may do it, in the folder that is open here. */
  here?: string;
}

/** Queues tasks for workers; returns the abilities that a worker needs. */
export async function placeOrder(
  {
    around,
    featureBranch,
    agent,
    driver,
    setup,
  }: Pick<WorkRun, 'around' | 'featureBranch' | 'agent' | 'driver' | 'setup'>,
  scope: string,
  { needs: more, here, ...options }: QueueOptions,
): Promise<string[]> {
  const { ledger, projectId, by, git } = around;
  if (here !== undefined) await requireAgent(driver, { ...setup, cwd: git.top, mustAsk: false });
  const needs = needsOf(agent, { needs: more, here });
  const { allow, review, skipAudit, gateTimeoutMs, timeoutMs, parkAfterMs, backgroundWaitMs } = options;
  const place = {
    featureBranch,
    remote: git.remote && here === undefined ? shownAddress(git.remote) : null,
    options: {
      ...agent,
      ...{ allow, review, skipAudit, gateTimeoutMs, timeoutMs, parkAfterMs, backgroundWaitMs },
    },
  };
  await ledger.queue.place({ projectId, scope, needs, options: place }, by);
  return needs;
}

/** The abilities that a worker needs for this agent, and further ones; or the one that only the worker here has. */
export function needsOf(
  { agent, sandbox }: { agent: string; sandbox?: boolean },
  { needs = [], here }: Pick<QueueOptions, 'needs' | 'here'>,
): string[] {
  if (here !== undefined) return [here];
  return [...new Set([abilityOf(agent), ...(sandbox ? ['sandbox'] : []), ...needs])].sort();
}

/** An analysis is part of a plan from issues, and is done where that is. */
export const notAlone = (id: string) =>
  new FermataError('invalid', `${id} is done with the plan that it is for. Start that plan.`);
