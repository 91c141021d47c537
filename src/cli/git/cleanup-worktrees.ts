import { cleanupWorktrees } from '../../work/worktrees/cleanup-worktrees.ts';
import type { CommonOptions } from '../command.ts';
import { withWorktreeContext } from './worktree-context.ts';

export interface CleanupOptions extends CommonOptions {
  dryRun?: true;
}

export function cleanUp(options: CleanupOptions): Promise<object> {
  const dryRun = options.dryRun === true;
  return withWorktreeContext(options, async (worktreeContext) => {
    const { removed, kept } = await cleanupWorktrees(worktreeContext, { dryRun });
    return {
      dry_run: dryRun,
      removed: removed.map(({ kept: ignored, ...each }) => ({ ...each, ignored_kept: ignored })),
      kept,
    };
  });
}
