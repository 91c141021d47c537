import { requireSandbox } from '../../agents/sandbox/require-sandbox.ts';
import { isSandboxed } from '../../agents/sandbox/sandbox.ts';
import { FermataError } from '../../schema/error.ts';
import type { Context } from '../context.ts';
import type { WorkRun } from '../run/work-run.ts';
import { chooseAgent, continuingAgent } from './choose-agent.ts';
import { reviewerFor } from './reviewer.ts';

/** Which agents do the work, and how. */
export interface AgentsOptions {
  /** The agent; by default that of the last run of this plan or task, else claude. */
  agent?: string;
  agentCommand?: string;
  model?: string;
  /** Tools that agents may use without asking. */
  allow?: string[];
  /** Whether work is reviewed if its protocol requires it (default: true). */
  review?: boolean;
  sandbox?: boolean;
  gateTimeoutMs?: number;
  timeoutMs?: number;
  parkAfterMs?: number;
  backgroundWaitMs?: number;
}

const MINUTE_MS = 60_000;

const defaults = {
  agent: 'claude',
  gateTimeoutMs: 10 * MINUTE_MS,
  parkAfterMs: 5 * MINUTE_MS,
  backgroundWaitMs: 30 * MINUTE_MS,
  /** How long a reviewer may work. */
  reviewMs: 15 * MINUTE_MS,
} as const;

export type OpenedAgents = Pick<
  WorkRun,
  'driver' | 'agent' | 'setup' | 'tools' | 'reviewer' | 'gateTimeoutMs'
>;

/** Chooses the agents for work in a checkout. `begun`: how the same work was begun, whose agent continues. */
export async function openAgents(
  context: Context,
  top: string,
  options: AgentsOptions,
  begun: WorkRun['agent'] | undefined,
): Promise<OpenedAgents> {
  const { ledger } = context;
  const { timeoutMs, parkAfterMs = defaults.parkAfterMs } = options;
  const { gateTimeoutMs = defaults.gateTimeoutMs, backgroundWaitMs = defaults.backgroundWaitMs } = options;
  const { agent: chosen = defaults.agent, agentCommand, model } = options;
  const said = { agent: chosen, agentCommand, model, agentGiven: options.agent !== undefined };
  const agent = continuingAgent(said, begun);
  const isInSandbox = enterSandbox(context, options.sandbox === true || begun?.sandbox === true);
  const { driver, setup } = await chooseAgent(context, agent, {
    ...{ cwd: top, mustAsk: false, timeoutMs, parkAfterMs, backgroundWaitMs },
  });
  const { id: projectId } = await context.project();
  return {
    driver,
    agent: { ...agent, ...(isInSandbox ? { sandbox: true } : {}) },
    setup,
    tools: options.allow ?? [],
    reviewer: wantsNoReview(context, options)
      ? undefined
      : (taskId) =>
          reviewerFor(context, { ledger, projectId, taskId, cwd: top }, {}, timeoutMs ?? defaults.reviewMs),
    gateTimeoutMs,
  };
}

/** A resumed run keeps its sandbox. Commands that run for agents inherit it through the environment. */
function enterSandbox({ env, isShared }: Context, isWanted: boolean): boolean {
  if (!isWanted && !isSandboxed(env)) return false;
  requireSandbox(env);
  if (isShared && !isSandboxed(env))
    throw new FermataError(
      'invalid',
      'This run needs a sandbox. Start the hub or the worker with FERMATA_SANDBOX=1, or run it in a terminal.',
    );
  env.FERMATA_SANDBOX = '1';
  return true;
}

/** Set by the person in the command, or for all commands of a machine. */
const wantsNoReview = ({ env }: Context, { review = true }: AgentsOptions) =>
  !review || env.FERMATA_NO_REVIEW === '1';
