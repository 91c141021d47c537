import type { Command } from 'commander';
import type { CommonOptions } from '../command.ts';
import type { CleanupOptions } from '../git/cleanup-worktrees.ts';
import type { MergeOptions } from '../git/merge-worktree.ts';
import { asPlanCommand, planCommand } from '../plan-command.ts';

export function define(git: Command): void {
  git
    .description(
      'Compare, merge and clean up the worktrees of a plan. Each command prints text in a terminal; otherwise, or with --format json, it prints one JSON object: {"status":"success","data"} or {"status":"error","error"}.',
    )
    .addHelpText(
      'after',
      `
Examples:
  fermata git diff-base
  fermata git merge-worktree 2 A
  fermata git cleanup-worktrees --dry-run`,
    );
  asPlanCommand(git.command('diff-base'))
    .summary('compare this checkout with its base')
    .description(
      'Compare this checkout with its base: the feature branch in the worktree of a phase, otherwise main or master. The result includes uncommitted changes and untracked files.',
    )
    .addHelpText('after', '\nExample:\n  fermata git diff-base | jq -r .data.diff')
    .action(async (options: CommonOptions) => {
      await planCommand(async () => (await import('../git/diff-base.ts')).showDiffBase(options));
    });
  asPlanCommand(git.command('merge-worktree'))
    .summary('merge the work of a phase into the feature branch')
    .description(
      'Merge the branch of a phase into the feature branch, even if that branch is not checked out. If there are conflicts, it lists them and merges nothing.',
    )
    .argument('<phase>', 'the number of the phase')
    .argument('[variant]', 'the letter of its variant')
    .option('--plan <dir>', "the plan's folder, if there are several plans")
    .addHelpText('after', '\nExample:\n  fermata git merge-worktree 2 A')
    .action(async (phase: string, variant: string | undefined, options: MergeOptions) => {
      await planCommand(async () =>
        (await import('../git/merge-worktree.ts')).mergePhase(phase, variant, options),
      );
    });
  asPlanCommand(git.command('cleanup-worktrees'))
    .summary('remove the folders of merged worktrees')
    .description(
      'Remove the folders of merged worktrees. It keeps a worktree if anything in it is not committed, merged and (if there is a remote) pushed, and says why. It moves ignored files to a backup folder and prints its path.',
    )
    .option('--dry-run', 'only print what would be removed')
    .addHelpText('after', '\nExample:\n  fermata git cleanup-worktrees --dry-run')
    .action(async (options: CleanupOptions) => {
      const { cleanUp, describeCleanup } = await import('../git/cleanup-worktrees.ts');
      await planCommand(() => cleanUp(options), describeCleanup);
    });
}
