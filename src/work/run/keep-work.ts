import { parseCoderResult } from '../../agents/roles/coder-result.ts';
import { commitAll } from '../../git/commit.ts';
import { ownBranchTip } from '../../git/refs.ts';
import { crashPoint } from '../../ledger/crash-point.ts';
import { isSuccess } from '../../ledger/tasks/coder-result.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { RunEnding } from '../../schema/run.ts';
import { leftUnfinished, receiveWork } from '../worktrees/receive-work.ts';
import { environmentFault } from './faults.ts';
import { publishWork } from './merge-work.ts';
import type { TaskContext } from './work-run.ts';

/**
 * Commits and pushes what an agent made. `mark` records the commit before anyone else can get it. What is wrong with the work
 * itself is left to the check of the work, and nobody needs that of an agent which closed its task.
 */
export async function keepWork(
  context: TaskContext,
  { text }: RunEnding,
  mark: (commit: string) => Promise<void>,
): Promise<void> {
  const { run, held, worktree } = context;
  const { ledger, projectId } = run.around;
  if ((await ledger.tasks.get(projectId, held.task.id)).status === 'closed') return;
  await held.confirm();
  try {
    if (await commitWork(context, isDone(text) ? context.item.title : 'work so far')) return;
    const tip = await ownBranchTip(run.around.git.commonDir, worktree.branch);
    if (tip !== undefined) await mark(tip);
    crashPoint('work.committed');
    await publishWork(context);
  } catch (error) {
    if (!(error instanceof Refusal) || environmentFault(error) !== undefined) throw error;
  }
}

/** Commits everything in the worktree, unless a git operation is in progress, which is then named. */
export async function commitWork({ item, worktree }: TaskContext, what: string): Promise<string | undefined> {
  await receiveWork(worktree.path, worktree.featureBranch);
  const operation = leftUnfinished(worktree.path);
  if (operation === undefined) await commitAll(worktree.path, `${item.label}: ${what}`);
  return operation;
}

function isDone(text: string): boolean {
  const read = parseCoderResult(text);
  return read.kind === 'answer' && read.value.open_questions === undefined && isSuccess(read.value);
}
