import type { Ledger } from '../../ledger/ledger.ts';
import type { By } from '../../schema/actor.ts';
import { isStoppedByEnvironment } from '../../schema/block-reason.ts';
import { FermataError } from '../../schema/error.ts';
import { isAsking, NOT_IN_PLAN, type Task } from '../../schema/task.ts';

const PAGE = 1000;

/**
 * Unblocks every task that an environment failure stopped; with `reason`, every task whose reason contains that text
 * instead. Leaves tasks alone that wait for an answer.
 */
export async function unblockAll(
  { tasks }: Ledger,
  projectId: string,
  reason: string | undefined,
  by: By,
): Promise<Task[]> {
  const isWanted = (task: Task) =>
    reason === undefined ? isStoppedByEnvironment(task) : contains(task.blockReason, reason);
  const unblocked: Task[] = [];
  for (let after: number | undefined, isLast = false; !isLast; ) {
    const page = await tasks.list(projectId, {
      status: 'blocked',
      limit: PAGE,
      ...(after === undefined ? {} : { after }),
    });
    for (const task of page.filter((each) => isWanted(each) && !isAsking(each))) {
      const now = await unlessChanged(tasks.unblock(projectId, task.id, by));
      if (now) unblocked.push(now);
    }
    after = page.at(-1)?.position;
    isLast = page.length < PAGE;
  }
  return unblocked;
}

const contains = (blockReason: string | null, text: string) =>
  blockReason !== null &&
  blockReason !== NOT_IN_PLAN &&
  blockReason.toLowerCase().includes(text.toLowerCase());

/** Somebody else may have unblocked or closed it in the meantime. */
async function unlessChanged(change: Promise<Task>): Promise<Task | undefined> {
  try {
    return await change;
  } catch (error) {
    if (error instanceof FermataError && error.code === 'conflict') return undefined;
    throw error;
  }
}
