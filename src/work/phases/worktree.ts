import { existsSync } from 'node:fs';
import { tryGit } from '../../git/git.ts';
import { checkoutOf } from '../../git/worktree-list.ts';
import { idKey } from '../../plan/grammar/phase-id.ts';
import type { PhaseRecord } from '../../schema/phase-record.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { Worktree } from '../../schema/worktree.ts';
import { planOnRecord } from '../worktrees/plan-on-record.ts';
import {
  featuresOf,
  parseWorktreeBranch,
  worktreeBranch,
  worktreeStem,
} from '../worktrees/worktree-branch.ts';
import type { PhaseTask } from './phase-task.ts';
import type { PlanContext } from './plan-context.ts';

/** The branch for work on a phase. `named`: what an agent calls it, which may leave out the plan. */
export function branchFor(
  planContext: Pick<PlanContext, 'here' | 'name'>,
  { number, variant }: PhaseTask,
  named: string | undefined,
): string | null {
  const { here, name: plan } = planContext;
  const branchOf = (feature: string) => worktreeBranch({ feature, plan, phase: number, variant });
  if (named === undefined) return here.featureBranch === undefined ? null : branchOf(here.featureBranch);
  const feature = featureIn(planContext, { number, variant }, named);
  if (feature !== undefined) return branchOf(feature);
  const wanted =
    here.featureBranch === undefined ? 'FEATURE--PLAN--implementation-N' : branchOf(here.featureBranch);
  throw new Refusal('invalid_name', `"${named.slice(0, 200)}" is not the branch of this phase.`, {
    suggestion: `Name it ${wanted}.`,
    code: 'invalid',
  });
}

/** The feature branch in the name of a phase's branch; undefined if it names another phase or plan. */
function featureIn(
  { here, name }: Pick<PlanContext, 'here' | 'name'>,
  { number, variant }: Pick<PhaseTask, 'number' | 'variant'>,
  branch: string,
): string | undefined {
  const parts = parseWorktreeBranch(branch);
  if (!parts || idKey(parts.phase) !== idKey(number) || parts.variant !== variant) return undefined;
  const features = featuresOf(parts.stem);
  const withPlan = features.find((feature) => worktreeStem(feature, name) === parts.stem);
  if (withPlan !== undefined || parts.stem === here.featureBranch) return withPlan ?? here.featureBranch;
  return features[0] === here.featureBranch ? undefined : parts.stem;
}

/** The worktree of a phase; records one that somebody made by hand. Undefined if there is none. */
export async function worktreeOf(
  planContext: PlanContext,
  at: PhaseTask,
  records?: readonly PhaseRecord[],
): Promise<(Worktree & { path: string }) | undefined> {
  const { git, ledger, projectId, by, here } = planContext;
  if (!git || here.featureBranch === undefined) return undefined;
  const known = records ?? (await ledger.phases.list(projectId, at.taskId));
  const started = known.findLast((each) => each.kind === 'started');
  const branch = started?.branch ?? branchFor(planContext, at, undefined);
  if (branch === null) return undefined;
  const found = await ledger.worktrees.find(projectId, branch);
  if (found?.path && existsSync(found.path)) return { ...found, path: found.path };
  const checkout = await checkoutOf(git.commonDir, branch);
  if (!checkout?.head || !existsSync(checkout.path)) return undefined;
  const { code, stdout } = await tryGit(git.commonDir, [
    'merge-base',
    checkout.head,
    `refs/heads/${here.featureBranch}`,
  ]);
  const record = await ledger.worktrees.record(
    {
      projectId,
      branch,
      path: checkout.path,
      featureBranch: here.featureBranch,
      plan: planOnRecord(planContext.checkouts.feature, planContext.folder),
      phase: at.number,
      variant: at.variant,
      baseCommit: code === 0 ? stdout.toString('utf8').trim() : checkout.head,
    },
    by,
  );
  return { ...record, path: checkout.path };
}
