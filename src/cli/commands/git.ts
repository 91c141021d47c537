import type { Command } from 'commander';
import type { CommonOptions } from '../command.ts';
import type { CleanupOptions } from '../git/cleanup-worktrees.ts';
import type { MergeOptions } from '../git/merge-worktree.ts';
import { asPlanCommand, planCommand } from '../plan-command.ts';

export function define(git: Command): void {
  git
    .description(
      'What an agent does with git while it works on a phase. Each prints one JSON object: {"status":"success","data"} or {"status":"error","error"}.',
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
    .summary('what this checkout has that its base has not')
    .description(
      'Compare this checkout with its base: the feature branch in a worktree of a phase, else main or master. Uncommitted changes and untracked files are a part of it.',
    )
    .addHelpText('after', '\nExample:\n  fermata git diff-base | jq -r .data.diff')
    .action(async (options: CommonOptions) => {
      await planCommand(async () => (await import('../git/diff-base.ts')).showDiffBase(options));
    });
  asPlanCommand(git.command('merge-worktree'))
    .summary('merge the work of a phase into the feature branch')
    .description(
      'Merge the branch of a phase into the feature branch, wherever that is checked out, or nowhere. Conflicts are listed, and then nothing is merged.',
    )
    .argument('<phase>', 'the phase, by its number')
    .argument('[variant]', 'which variant of it, by its letter')
    .option('--plan <dir>', 'the folder of the plan, where there are several')
    .addHelpText('after', '\nExample:\n  fermata git merge-worktree 2 A')
    .action(async (phase: string, variant: string | undefined, options: MergeOptions) => {
      await planCommand(async () =>
        (await import('../git/merge-worktree.ts')).mergePhase(phase, variant, options),
      );
    });
  asPlanCommand(git.command('cleanup-worktrees'))
    .summary('remove the folders of worktrees that are merged')
    .description(
      'Remove the folders of merged worktrees. One with anything in it that is not committed, merged and (where there is a remote) pushed stays, and the answer says why. Ignored files are moved aside.',
    )
    .option('--dry-run', 'only tell what would be removed')
    .addHelpText('after', '\nExample:\n  fermata git cleanup-worktrees --dry-run')
    .action(async (options: CleanupOptions) => {
      await planCommand(async () => (await import('../git/cleanup-worktrees.ts')).cleanUp(options));
    });
}
