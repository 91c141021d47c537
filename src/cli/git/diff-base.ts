import { statSync } from 'node:fs';
import { join } from 'node:path';
import { diffBase } from '../../git/diff-base.ts';
import { requireRepository } from '../../work/worktrees/worktree-context.ts';
import type { CommonOptions } from '../command.ts';

export async function showDiffBase(options: CommonOptions): Promise<object> {
  const { top } = requireRepository(process.cwd());
  const { base, head, files, untracked, insertions, deletions, diff, truncated } = await diffBase(
    top,
    await featureOfWorktree(top, options),
  );
  return {
    base: { branch: base.branch, commit: base.commit, merge_base: base.mergeBase },
    head,
    summary: { files: files.length, insertions, deletions },
    files,
    untracked,
    diff,
    truncated,
  };
}

/** The main checkout is compared with main; only a worktree has a record. */
async function featureOfWorktree(top: string, options: CommonOptions): Promise<string | undefined> {
  if (statSync(join(top, '.git')).isDirectory()) return undefined;
  const [{ withWorktreeContext: withPlace }, { findHere }] = await Promise.all([
    import('./worktree-context.ts'),
    import('../../work/worktrees/here.ts'),
  ]);
  return withPlace(options, async (worktreeContext) => {
    const { featureBranch, isFeature } = await findHere(worktreeContext);
    return isFeature ? undefined : featureBranch;
  });
}
