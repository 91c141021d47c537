import { resolve } from 'node:path';
import { refuseAgent } from '../../ledger/access/refuse-agent.ts';
import { requireApproval } from '../../work/autonomy/require-approval.ts';
import { deferred, fenceOf } from '../../work/phases/hold.ts';
import { joinProject } from '../../work/projects/join-project.ts';
import { findWorktree } from '../../work/worktrees/find-worktree.ts';
import { mergeWorktree } from '../../work/worktrees/merge-worktree.ts';
import type { CommonOptions } from '../command.ts';
import { tell } from '../output.ts';
import { withWorktreeContext } from './worktree-context.ts';

export interface MergeOptions extends CommonOptions {
  plan?: string;
}

export function mergePhase(
  phase: string,
  variant: string | undefined,
  options: MergeOptions,
): Promise<object> {
  return withWorktreeContext(options, async (worktreeContext) => {
    const plan = options.plan === undefined ? {} : { plan: resolve(options.plan) };
    const worktree = await findWorktree(worktreeContext, { phase, variant: variant ?? null, ...plan });
    if (fenceOf({}) !== undefined) return { merged: false, branch: worktree.branch, ...deferred };
    refuseAgent(worktreeContext.by, 'merge a phase that is not its task');
    const joined = { ...(await joinProject(worktreeContext)), tell };
    const allow = (tip: string) => requireApproval(worktreeContext, worktree, tip);
    return { merged: true, ...(await mergeWorktree(joined, worktree, { allow })) };
  });
}
