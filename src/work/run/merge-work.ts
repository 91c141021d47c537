import type { By } from '../../schema/actor.ts';
import { Refusal } from '../../schema/refusal.ts';
import { mergeWorktree } from '../worktrees/merge-worktree.ts';
import { checkAutonomy } from './check-autonomy.ts';
import { conflictText, patiently } from './exchange-work.ts';
import type { WorkHistory } from './past-runs.ts';
import type { TaskContext } from './task-context.ts';

/** `over` and `again`: the work changed after the first check and has to be checked again. */
type Merging = { kind: 'merged' | 'over' | 'again' } | { kind: 'conflict'; findings: string };

const toCheckAgain = new Set(['now_rejected', 'changed_after_test', 'changed_after_choice', 'feature_moved']);

/** Merges the work of a phase or task, unless something prevents it. `checkedWith`: see `exchangeWork`. */
export async function mergeWork(
  context: TaskContext,
  history: WorkHistory,
  checkedWith?: string,
): Promise<Merging> {
  const { run, worktree } = context;
  try {
    // The agent's work was committed before its gates ran, so what is new comes from them, such as a report.
    await patiently(context, () =>
      mergeWorktree(run.around.git, worktree, {
        untracked: 'leave',
        allow: (tip) => stillAllowed(context, history, tip),
        ...(checkedWith === undefined ? {} : { checkedWith }),
      }),
    );
    return { kind: 'merged' };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.type === 'now_waiting') return { kind: 'over' };
    if (toCheckAgain.has(error.type)) return { kind: 'again' };
    if (error.type !== 'merge_conflict') throw error;
    return { kind: 'conflict', findings: conflictText(error) };
  }
}

/** The run may have waited for people since the first check, and the branch may have moved. */
async function stillAllowed(
  context: TaskContext,
  history: WorkHistory,
  tip: string,
): Promise<By | undefined> {
  const allowed = await checkAutonomy(context, history, tip);
  if (allowed.kind === 'proceed') return allowed.approvedBy;
  const { branch } = context.worktree;
  throw new Refusal(`now_${allowed.kind}`, `${branch} changed after it was checked.`);
}
