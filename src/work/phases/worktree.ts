import { existsSync } from 'node:fs';
import { tryGit } from '../../git/git.ts';
import { checkoutOf } from '../../git/worktree-list.ts';
import type { PhaseRecord } from '../../schema/phase-record.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { Worktree } from '../../schema/worktree.ts';
import { planOnRecord } from '../worktrees/plan-on-record.ts';
import { parseWorktreeBranch, worktreeBranch } from '../worktrees/worktree-branch.ts';
import type { PhaseTask } from './phase-task.ts';
import type { PlanContext } from './plan-context.ts';

/** The branch for work on a phase: the named one, in a spelling that git accepts. */
export function branchFor(
  planContext: PlanContext,
  { number, variant }: PhaseTask,
  named: string | undefined,
): string | null {
  const feature = planContext.here.featureBranch;
  if (named === undefined)
    return feature === undefined ? null : worktreeBranch({ feature, phase: number, variant });
  const parts = parseWorktreeBranch(named);
  if (!parts) {
    throw new Refusal('invalid_name', `"${named.slice(0, 200)}" is not a valid branch name for a phase.`, {
      suggestion: `Name it ${feature ?? 'FEATURE'}--implementation-${number}${variant ? `-${variant}` : ''}.`,
      code: 'invalid',
    });
  }
  return worktreeBranch(parts);
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
