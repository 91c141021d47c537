import { shownAddress } from '../../git/remote/address.ts';
import type { WorkRun } from '../../work/run/work-run.ts';
import { requireAgent } from '../choose-agent.ts';
import type { AgentsOptions } from '../open-agents.ts';
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
  { needs: more = [], here, ...options }: QueueOptions,
): Promise<string[]> {
  const { ledger, projectId, by, git } = around;
  if (here !== undefined) await requireAgent(driver, { ...setup, cwd: git.top, mustAsk: false });
  const needs = here === undefined ? needsOf(agent, more) : [here];
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

/** The abilities that a worker needs for this agent, and further ones. */
export const needsOf = ({ agent, sandbox }: { agent: string; sandbox?: boolean }, more: readonly string[]) =>
  [...new Set([abilityOf(agent), ...(sandbox ? ['sandbox'] : []), ...more])].sort();
