import { schemasFolder } from '../../agents/process/schemas-folder.ts';
import { requireSandbox } from '../../agents/sandbox/require-sandbox.ts';
import { isSandboxed } from '../../agents/sandbox/sandbox.ts';
import { requireGit } from '../../git/require-version.ts';
import { FermataError } from '../../schema/error.ts';
import { lookAround } from '../../work/phases/find-plan.ts';
import { openPlanContext } from '../../work/phases/open-plan-context.ts';
import { tasksWithin } from '../../work/phases/phase-task.ts';
import type { PlanContext } from '../../work/phases/plan-context.ts';
import { featureBranchFor } from '../../work/run/feature-branch.ts';
import type { PlanRun } from '../../work/run/plan-run.ts';
import { worktreeContextAt } from '../../work/worktrees/worktree-context.ts';
import { type AgentOptions, agentGoingOn, agentOptions, chooseAgent } from '../choose-agent.ts';
import type { Context } from '../context.ts';
import { reviewerFor } from '../reviewer.ts';

/** How a plan is run. */
export interface RunPlanOptions {
  /** The agent; by default the one of the last run of this plan, else claude. */
  agent?: string;
  agentCommand?: string;
  model?: string;
  /** How many agents work at once. */
  parallel?: number;
  /** The branch to merge into. */
  feature?: string;
  /** Tools that agents may use without asking. */
  allow?: string[];
  /** Whether phases are reviewed where their protocol requires it (default: true). */
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
  /** How long a reviewer that the run sends may work. */
  reviewMs: 15 * MINUTE_MS,
} as const;

export type OpenedRun = Omit<PlanRun, 'confirmTrust' | 'tell' | 'onEvent'>;

/** Everything that running a plan needs, looked up once. */
export async function openRun(
  context: Context,
  target: string | undefined,
  options: RunPlanOptions,
): Promise<OpenedRun> {
  const { ledger, settings, cwd, who: by } = context;
  await requireGit();
  const { id: projectId } = await context.project();
  const git = worktreeContextAt(cwd, settings, { ledger, projectId, by });
  const { here, checkouts } = await lookAround(git, git.top);
  const around = { ledger, projectId, by, cwd, storage: git.storage, git, here, checkouts };
  const opened = { ...(await openPlanContext(around, target)), git };
  const featureBranch = await featureBranchFor(opened, options.feature);
  const { timeoutMs, parkAfterMs = defaults.parkAfterMs } = options;
  const { gateTimeoutMs = defaults.gateTimeoutMs, backgroundWaitMs = defaults.backgroundWaitMs } = options;
  const last = await lastRun(opened);
  const { agent: chosen = defaults.agent, agentCommand, model } = options;
  const said = { agent: chosen, agentCommand, model, agentGiven: options.agent !== undefined };
  const agent = agentGoingOn(said, last?.agent);
  const isInSandbox = enterSandbox(context, options.sandbox === true || last?.sandbox === true);
  const { driver, setup } = await chooseAgent(context, agent, {
    ...{ cwd: git.top, mustAsk: false, timeoutMs, parkAfterMs, backgroundWaitMs },
  });
  return {
    around: { ...opened, here: { ...here, featureBranch } },
    featureBranch,
    driver,
    agent: { ...agent, ...(isInSandbox ? { sandbox: true } : {}) },
    setup,
    tools: options.allow ?? [],
    reviewer: wantsNoReview(context, options)
      ? undefined
      : (taskId) =>
          reviewerFor(
            context,
            { ledger, projectId, taskId, cwd: git.top },
            {},
            timeoutMs ?? defaults.reviewMs,
          ),
    schemas: schemasFolder(),
    gateTimeoutMs,
    person: { ...by, channel: 'gate-file' },
  };
}

/** A resumed run keeps its sandbox. Commands that run for agents inherit it through the environment. */
function enterSandbox({ env, isShared }: Context, isWanted: boolean): boolean {
  if (!isWanted && !isSandboxed(env)) return false;
  requireSandbox(env);
  if (isShared && !isSandboxed(env))
    throw new FermataError(
      'invalid',
      'This run needs a sandbox. Start the hub or the worker with FERMATA_SANDBOX=1, or run the plan in a terminal.',
    );
  env.FERMATA_SANDBOX = '1';
  return true;
}

/** Said by the person in the command, or for all commands of a machine. */
const wantsNoReview = ({ env }: Context, { review = true }: RunPlanOptions) =>
  !review || env.FERMATA_NO_REVIEW === '1';

async function lastRun({ ledger, projectId, name }: PlanContext) {
  const within = tasksWithin(name);
  const last = (await ledger.runs.list(projectId, 500)).find(
    ({ source, sourceId }) => source === 'execute' && sourceId.startsWith(within),
  );
  if (!last) return undefined;
  const agent: AgentOptions = agentOptions({ ...last.data, agent: last.agent });
  return { agent, sandbox: last.data.sandbox === true };
}
