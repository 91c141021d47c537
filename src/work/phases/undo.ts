import { git } from '../../git/git.ts';
import { branchTip, isAncestor } from '../../git/refs.ts';
import { refuseAgent } from '../../ledger/access/refuse-agent.ts';
import { crashPoint } from '../../ledger/crash-point.ts';
import { allRows } from '../../ledger/engine/stored.ts';
import type { PhaseRecord } from '../../schema/phase-record.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { Task } from '../../schema/task.ts';
import { featureRef } from '../worktrees/exchange/remote-context.ts';
import { revertMerges } from '../worktrees/revert-merges.ts';
import type { WorktreeContext } from '../worktrees/worktree-context.ts';

/** What undoing a merged phase or task would do. */
export interface Undo {
  task: Task;
  featureBranch: string;
  /** The merges to revert, newest first. */
  merges: string[];
  /** Tasks that were begun on top of it. They stay as they are. */
  builtOn: string[];
  /** Remote branches that have it. */
  remotes: string[];
}

/** Throws if nothing of the task is merged, or somebody works on it. */
export async function planUndo(context: WorktreeContext, taskId: string): Promise<Undo> {
  const { ledger, projectId, commonDir } = context;
  const task = await ledger.tasks.get(projectId, taskId);
  if (task.status === 'in_progress')
    throw new Refusal('held', `${task.assignee} works on ${taskId}.`, { suggestion: 'Stop it first.' });
  const records = await ledger.phases.list(projectId, taskId);
  const branch = records.findLast((each) => each.kind === 'started')?.branch ?? undefined;
  const worktree = branch === undefined ? undefined : await ledger.worktrees.find(projectId, branch);
  const featureBranch = worktree?.featureBranch ?? '';
  const tip = worktree && (await branchTip(commonDir, featureBranch));
  const merges: string[] = [];
  for (const commit of mergesLeft(records))
    if (tip !== undefined && (await isAncestor(commonDir, commit, featureRef(context, featureBranch))))
      merges.push(commit);
  const [newest] = merges;
  if (newest === undefined)
    throw new Refusal('not_merged', `Nothing of ${taskId} is merged, so there is nothing to undo.`);
  return {
    ...{ task, featureBranch, merges },
    builtOn: await builtOn(context, taskId),
    remotes: await remotesWith(commonDir, newest),
  };
}

/** Reverts what was merged, and reopens the task. Safe to repeat after a crash. */
export async function undo(
  context: WorktreeContext,
  { task: { id, projectId }, featureBranch, merges }: Undo,
): Promise<Task> {
  const { ledger, by } = context;
  refuseAgent(by, 'undo merged work');
  await revertMerges(context, { from: featureBranch, merges, what: id });
  crashPoint('undo.reverted');
  return ledger.tasks.reopen(projectId, id, by, merges);
}

/** Newest first. */
function mergesLeft(records: readonly PhaseRecord[]): string[] {
  const reverted = records.flatMap((each) => (each.kind === 'reopened' ? (each.data.reverts ?? []) : []));
  const merged = records.flatMap((each) => (each.kind === 'merge' ? [each.data.commit] : []));
  return [...new Set(merged)].filter((commit) => !reverted.includes(commit)).reverse();
}

async function remotesWith(commonDir: string, commit: string): Promise<string[]> {
  const args = ['for-each-ref', `--contains=${commit}`, '--format=%(refname:short)', 'refs/remotes'];
  return (await git(commonDir, args)).split('\n').filter(Boolean);
}

async function builtOn({ ledger, projectId }: WorktreeContext, taskId: string): Promise<string[]> {
  const tasks = await allRows<Task>((limit, last) =>
    ledger.tasks.list(projectId, { kinds: ['task', 'phase'], after: last?.position, limit }),
  );
  const found = new Set([taskId]);
  for (let before = 0; before !== found.size; ) {
    before = found.size;
    for (const { id, dependsOn, status } of tasks)
      if (status !== 'open' && dependsOn.some((each) => found.has(each))) found.add(id);
  }
  return [...found].filter((id) => id !== taskId);
}
