import { counted } from '../../schema/counted.ts';
import { type CleanedWorktrees, cleanupWorktrees } from '../../work/worktrees/cleanup-worktrees.ts';
import type { CommonOptions } from '../command.ts';
import { withWorktreeContext } from './worktree-context.ts';

export interface CleanupOptions extends CommonOptions {
  dryRun?: true;
}

interface CleanedUp extends Pick<CleanedWorktrees, 'kept'> {
  dry_run: boolean;
  removed: { branch: string; path: string; ignored_kept: string | null }[];
}

export function cleanUp(options: CleanupOptions): Promise<CleanedUp> {
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

/** For a person at a terminal. */
export function describeCleanup({ dry_run, removed, kept }: CleanedUp): string[] {
  const verb = dry_run ? 'Would remove' : 'Removed';
  return [
    removed.length === 0
      ? 'No worktree can be removed.'
      : `${verb} ${counted(removed.length, 'worktree')}. The branches stay.`,
    ...removed.map(
      ({ branch, path, ignored_kept }) =>
        `  ${branch}  ${path}${ignored_kept === null ? '' : ` (ignored files are in ${ignored_kept})`}`,
    ),
    ...(kept.length === 0 ? [] : [`Kept ${counted(kept.length, 'worktree')}:`]),
    ...kept.map(
      ({ branch, path, reasons }) =>
        `  ${branch}  ${path} (${reasons.map((reason) => reason.replaceAll('_', ' ')).join(', ')})`,
    ),
  ];
}
