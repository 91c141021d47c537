import { schemasFolder } from '../../../agents/process/program.ts';
import { requireGit } from '../../../git/git.ts';
import { type AgentsOptions, openAgents } from '../../agent/open-agents.ts';
import type { Context } from '../../context.ts';
import { locateFeature } from '../../phases/find-plan.ts';
import { openPlanContext } from '../../phases/open-plan-context.ts';
import { tasksWithin } from '../../phases/phase-task.ts';
import type { PlanContext } from '../../phases/plan-context.ts';
import { featureBranchFor } from '../../run/feature-branch.ts';
import type { PlanRun } from '../../run/work-run.ts';
import { worktreeContextAt } from '../../worktrees/worktree-context.ts';

/** The options of running a plan. */
export interface RunPlanOptions extends AgentsOptions {
  /** How many agents work at once. */
  parallel?: number;
  /** The branch to merge into. */
  feature?: string;
}

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
  const { here, checkouts } = await locateFeature(git, git.top);
  const around = { ledger, projectId, by, cwd, storage: git.storage, git, here, checkouts };
  const opened = { ...(await openPlanContext(around, target)), git };
  const featureBranch = await featureBranchFor(opened, options.feature);
  return {
    ...(await openAgents(context, git.top, options, await lastOptions(opened))),
    around: { ...opened, here: { ...here, featureBranch } },
    featureBranch,
    schemas: schemasFolder(),
    person: { ...by, channel: 'gate-file' },
  };
}

async function lastOptions({ ledger, projectId, name }: PlanContext) {
  const orders = await ledger.queue.list(projectId);
  return orders.find(({ scope }) => scope === tasksWithin(name))?.options.options;
}
