import { existsSync } from 'node:fs';
import { gitDirOf } from '../../git/deaf-environment.ts';
import { mergeTrees, writeCommit } from '../../git/merge-tree.ts';
import { branchTip, forkOf, isAncestor } from '../../git/refs.ts';
import { checkoutStatus, refuseOwnAttributes } from '../../git/status.ts';
import { operationIn } from '../../git/worktree-list.ts';
import { crashPoint } from '../../ledger/crash-point.ts';
import type { By } from '../../schema/actor.ts';
import { quoted } from '../../schema/command-line.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { Worktree } from '../../schema/worktree.ts';
import { advanceBranch } from './advance-branch.ts';
import { claimRef, requireClaim } from './exchange/claim-ref.ts';
import { fetchFeature } from './exchange/fetch-feature.ts';
import { followFeature } from './exchange/follow-feature.ts';
import { branchRef, pushTo, type RemoteContext, usesRemote } from './exchange/remote-context.ts';
import { keepTrust } from './keep-trust.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { type MergeRecord, recordMerge } from './recorded-merge.ts';
import { requireMergeable } from './require-mergeable.ts';
import { verifyCommits } from './verify-work.ts';
import type { WorktreeContext } from './worktree-context.ts';

export interface Merged {
  branch: string;
  into: string;
  commit: string;
  /** Nothing had to be done. */
  already: boolean;
}

/** How often somebody else may move the feature branch between our check and our update. */
const TRIES = 10;

export interface MergeOptions {
  /** What to do with untracked files in the worktree (`refuse`). */
  untracked?: 'refuse' | 'leave';
  /** Called if nothing else prevents the merge: throws if this commit may not be merged. Returns who approved it. */
  allow?(tip: string): Promise<By | undefined>;
  /** The commit of the remote's feature branch that the work was checked with; `feature_moved` if it has changed. */
  checkedWith?: string;
}

/** Merges a worktree's branch into its feature branch, completely or not at all. */
export async function mergeWorktree(
  worktreeContext: WorktreeContext,
  worktree: Worktree,
  { untracked = 'refuse', allow, checkedWith }: MergeOptions = {},
): Promise<Merged> {
  const whole = async () => {
    const tip = await branchTip(worktreeContext.commonDir, worktree.branch);
    if (tip === undefined) throw gone(worktree.branch);
    const taskId = await requireMergeable(worktreeContext, worktree, tip);
    await refuseUncommitted(worktree, untracked === 'leave');
    const approvedBy = await allow?.(tip);
    const record = (commit: string) => recordMerge(worktreeContext, taskId, { commit, tip, approvedBy });
    const merged = usesRemote(worktreeContext)
      ? await mergeOnRemote(worktreeContext, worktree, { tip, checkedWith, record })
      : await merge(worktreeContext, worktree, { tip, record });
    if (approvedBy) await keepTrust(worktreeContext, worktree, { tip, into: merged.commit }, approvedBy);
    return merged;
  };
  if (!usesRemote(worktreeContext)) return oneAtATime(worktreeContext, whole);
  await worktreeContext.confirm?.();
  return whole();
}

interface Merging {
  tip: string;
  /** Called with the commit before the feature branch moves to it. */
  record(commit: string): Promise<void>;
}

async function merge(
  worktreeContext: WorktreeContext,
  worktree: Worktree,
  { tip, record }: Merging,
): Promise<Merged> {
  const { featureBranch: into } = worktree;
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const fork = await forkOf(worktreeContext.commonDir, tip, branchRef(into));
    if (fork === undefined) throw gone(into);
    const { other: before } = fork;
    if (fork.base === tip) return finish(worktreeContext, worktree, before, true);
    const commit = await mergeCommit(worktreeContext, worktree, before, tip);
    await verifyMerge(worktreeContext, worktree, { commit, before, base: fork.base });
    crashPoint('merge.committed');
    await record(commit);
    crashPoint('merge.recorded');
    if (!(await advanceBranch(worktreeContext.commonDir, into, before, commit))) continue;
    crashPoint('merge.moved');
    return finish(worktreeContext, worktree, commit, false);
  }
  throw new Refusal('busy', `${into} keeps changing.`, { suggestion: 'Try again.', code: 'busy' });
}

/** The merge is a push, which is refused if somebody else was first or took over the phase. Then it is checked again. */
async function mergeOnRemote(
  context: RemoteContext,
  worktree: Worktree,
  { tip, checkedWith, record }: Merging & { checkedWith: string | undefined },
): Promise<Merged> {
  const { branch, featureBranch: into } = worktree;
  const [feature, own, claim] = [branchRef(into), branchRef(branch), claimRef(branch)];
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const { there, tip: before } = await fetchFeature(context, into, [own, claim]);
    if (before === undefined) throw gone(into);
    const isMerged = await isAncestor(context.commonDir, tip, before);
    if (!isMerged && checkedWith !== undefined && before !== checkedWith) throw moved(into);
    if (!isMerged) {
      await requireClaim(context, branch, there);
      await requireWhole(context, branch, tip, there.get(own));
    }
    const commit = isMerged ? before : await mergeCommit(context, worktree, before, tip);
    if (!isMerged) {
      const fork = await forkOf(context.commonDir, tip, before);
      await verifyMerge(context, worktree, { commit, before, base: fork?.base });
    }
    crashPoint('merge.committed');
    if (!isMerged) await record(commit);
    crashPoint('merge.recorded');
    await context.confirm?.();
    const updates = [
      { ref: feature, from: before, to: commit },
      ...(isMerged ? [] : [{ ref: own, from: there.get(own), to: tip }]),
      { ref: claim, from: there.get(claim), to: undefined },
    ];
    if (!(await pushTo(context, updates))) continue;
    crashPoint('merge.moved');
    const merged = await finish(context, worktree, commit, isMerged);
    // Two simultaneous fast-forwards of one checkout would leave the files of the one that lost.
    await oneAtATime({ ...context, confirm: undefined }, () => followFeature(context, into, commit));
    return merged;
  }
  throw new Refusal('busy', `${into} keeps changing.`, { suggestion: 'Try again.', code: 'busy' });
}

/** A person merges without a claim, maybe in a clone that lacks what another one pushed. */
async function requireWhole(
  { commonDir, remote, fence }: RemoteContext,
  branch: string,
  tip: string,
  pushed: string | undefined,
): Promise<void> {
  if (fence !== undefined || pushed === undefined || (await isAncestor(commonDir, pushed, tip))) return;
  const theirs = `${remote.name}/${branch}`;
  throw new Refusal('diverged', `${theirs} has commits that ${branch} lacks here.`, {
    suggestion: `Nothing was merged. Merge ${theirs} in the worktree, and try again.`,
  });
}

function moved(into: string): Refusal {
  return new Refusal('feature_moved', `${into} was changed by somebody else since the gates ran.`, {
    suggestion: 'Merge it in the worktree, and run the gates again.',
  });
}

async function mergeCommit(
  worktreeContext: WorktreeContext,
  worktree: Worktree,
  ours: string,
  theirs: string,
): Promise<string> {
  const { branch, featureBranch: into, path, plan, phase, variant } = worktree;
  // In its own folder, where git can read the merge attributes of files.
  const folder = path !== null && existsSync(path) ? path : worktreeContext.top;
  const merged = await mergeTrees(folder, ours, theirs);
  if (merged.kind === 'conflict') {
    const { conflicts } = merged;
    throw new Refusal(
      'merge_conflict',
      `${branch} conflicts with ${into} in ${few(conflicts.map(({ path }) => path))}.`,
      {
        suggestion: `Nothing was merged. Merge ${into} in the worktree, resolve the conflicts, commit, and try again.`,
        data: { merged: false, branch, into, conflicts },
      },
    );
  }
  const about = [phase && `Phase ${phase}`, variant && `variant ${variant}`, plan && `of ${plan}`].filter(
    Boolean,
  );
  const message = `Merge branch '${branch}' into ${into}${about.length > 0 ? `\n\n${about.join(', ')}` : ''}\n`;
  return writeCommit(folder, { tree: merged.tree, parents: [ours, theirs], message });
}

/**
 * Checks the finished merge, because git keeps an object that already exists under the id of what it writes, and both
 * sides with their common ancestor, because they decide what the merge contains.
 */
async function verifyMerge(
  { commonDir }: WorktreeContext,
  { branch, featureBranch }: Worktree,
  { commit, before, base }: { commit: string; before: string; base?: string | undefined },
): Promise<void> {
  const also = base === undefined || base === before ? [before] : [before, base];
  await verifyCommits(
    commonDir,
    { tip: commit, known: [before], also },
    `the merge of ${branch} into ${featureBranch}`,
  );
}

/** Completes the merge of a process that died: what it did after the feature branch had moved, once more. */
export async function finishMerge(
  context: WorktreeContext,
  worktree: Worktree,
  { commit, tip, approvedBy }: MergeRecord['data'],
): Promise<void> {
  await finish(context, worktree, commit, true);
  await oneAtATime(context, async () => {
    if (usesRemote(context)) await followFeature(context, worktree.featureBranch, commit);
    if (approvedBy) await keepTrust(context, worktree, { tip, into: commit }, approvedBy);
  });
}

async function finish(
  worktreeContext: WorktreeContext,
  worktree: Worktree,
  commit: string,
  already: boolean,
): Promise<Merged> {
  const { branch, featureBranch: into, state } = worktree;
  if (state === 'active') {
    await worktreeContext.ledger.worktrees.change(
      worktreeContext.projectId,
      branch,
      { state: 'merged', mergeCommit: commit },
      worktreeContext.by,
    );
  }
  crashPoint('merge.finished');
  return { branch, into, commit, already };
}

/** Uncommitted changes would silently be left out. */
async function refuseUncommitted({ branch, path }: Worktree, leavesUntracked: boolean): Promise<void> {
  if (path === null || !existsSync(path)) return;
  const operation = operationIn(gitDirOf(path));
  if (operation) {
    throw new Refusal('unfinished', `A ${operation} is in progress in ${path}.`, {
      suggestion: `Finish it ("git ${operation} --continue") or abort it, and try again.`,
    });
  }
  const status = await checkoutStatus(path);
  refuseOwnAttributes(path, status.attributes);
  const { changed } = status;
  const untracked = leavesUntracked ? [] : status.untracked;
  if (changed.length + untracked.length > 0) {
    throw new Refusal('uncommitted', `${path} has uncommitted changes: ${few([...changed, ...untracked])}.`, {
      suggestion: 'Commit or remove them, and try again.',
      data: { merged: false, changed: changed.slice(0, 100), untracked: untracked.slice(0, 100) },
    });
  }
  const { commit: head } = status;
  if (status.branch === branch || head === undefined) return;
  if (!(await isAncestor(path, head, branchRef(branch)))) {
    throw new Refusal(
      'other_head',
      `The worktree ${path} is not on ${branch} and has commits that ${branch} lacks.`,
      {
        suggestion: `Merge them into ${branch} ("git switch ${quoted(branch)}", "git merge …"), and try again.`,
      },
    );
  }
}

function gone(branch: string): Refusal {
  return new Refusal('no_branch', `Branch ${branch} no longer exists.`, { code: 'not_found' });
}

function few(paths: string[]): string {
  return `${paths.slice(0, 5).join(', ')}${paths.length > 5 ? ` and ${paths.length - 5} more` : ''}`;
}
