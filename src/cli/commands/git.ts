import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { diffBase } from '../../git/diff-base.ts';
import { refuseAgent } from '../../ledger/access/refuse-agent.ts';
import { counted } from '../../schema/counted.ts';
import { requireApproval } from '../../work/autonomy/require-approval.ts';
import { deferred, fenceOf } from '../../work/phases/hold.ts';
import { joinProject } from '../../work/projects/join-project.ts';
import { type CleanedWorktrees, cleanupWorktrees } from '../../work/worktrees/cleanup-worktrees.ts';
import { findWorktree } from '../../work/worktrees/find-worktree.ts';
import { findHere } from '../../work/worktrees/here.ts';
import { mergeWorktree } from '../../work/worktrees/merge-worktree.ts';
import {
  requireRepository,
  type WorktreeContext,
  worktreeContextAt,
} from '../../work/worktrees/worktree-context.ts';
import type { CommonOptions } from '../command.ts';
import { withCommandContext } from '../command-context.ts';
import { tell } from '../output.ts';
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
      await planCommand(() => showDiffBase(options));
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
      await planCommand(() => mergePhase(phase, variant, options));
    });
  asPlanCommand(git.command('cleanup-worktrees'))
    .summary('remove the folders of merged worktrees')
    .description(
      'Remove the folders of merged worktrees. It keeps a worktree if anything in it is not committed, merged and (if there is a remote) pushed, and says why. It moves ignored files to a backup folder and prints its path.',
    )
    .option('--dry-run', 'only print what would be removed')
    .addHelpText('after', '\nExample:\n  fermata git cleanup-worktrees --dry-run')
    .action(async (options: CleanupOptions) => {
      await planCommand(() => cleanUp(options), describeCleanup);
    });
}

/** Runs `work` with the repository of this folder and the records of its worktrees. */
export function withWorktreeContext<T>(
  options: CommonOptions,
  work: (worktreeContext: WorktreeContext) => Promise<T>,
): Promise<T> {
  requireRepository(process.cwd()); // before the folder becomes a project
  return withCommandContext(options, async (context) => {
    const { id: projectId } = await context.project();
    return work(
      worktreeContextAt(process.cwd(), context.settings, {
        ledger: context.ledger,
        projectId,
        by: context.by('command'),
      }),
    );
  });
}

async function showDiffBase(options: CommonOptions): Promise<object> {
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
  return withWorktreeContext(options, async (worktreeContext) => {
    const { featureBranch, isFeature } = await findHere(worktreeContext);
    return isFeature ? undefined : featureBranch;
  });
}

interface MergeOptions extends CommonOptions {
  plan?: string;
}

function mergePhase(phase: string, variant: string | undefined, options: MergeOptions): Promise<object> {
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

interface CleanupOptions extends CommonOptions {
  dryRun?: true;
}

interface CleanedUp extends Pick<CleanedWorktrees, 'kept'> {
  dry_run: boolean;
  removed: { branch: string; path: string; ignored_kept: string | null }[];
}

function cleanUp(options: CleanupOptions): Promise<CleanedUp> {
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
