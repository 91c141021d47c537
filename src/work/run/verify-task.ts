import { crashPoint } from '../../ledger/crash-point.ts';
import { cmd } from '../../schema/command-line.ts';
import type { Notification } from '../../schema/notification.ts';
import { Refusal } from '../../schema/refusal.ts';
import { requireTaskPermit } from '../phases/phase-standing.ts';
import { checkAutonomy } from './check-autonomy.ts';
import { checkReview } from './check-review.ts';
import { checkWork } from './check-work.ts';
import { mergeWork } from './merge-work.ts';
import type { WorkHistory } from './past-runs.ts';
import { sendAgain } from './send-again.ts';
import type { TaskContext } from './task-context.ts';
import type { HeldTask } from './task-loop.ts';
import type { WorkItem } from './work-item.ts';

/** Checks a task whose agent says that it is done: checks, review, a person's approval, merge. */
export async function verifyTask(context: TaskContext, history: WorkHistory): Promise<'again' | 'over'> {
  const { run, held, item } = context;
  await held.confirm();
  const checked = await checkWork(context, history);
  if (checked === 'interrupted') return 'again';
  if ('findings' in checked) return sendAgain(context, history, checked.purpose, checked.findings);
  const wanted = await checkReview(context, history);
  if (held.signal.aborted) return 'again';
  if (wanted !== undefined) return sendAgain(context, history, 'review', wanted);
  const allowed = await checkAutonomy(context, history);
  if (allowed.kind === 'waiting') return 'over';
  if (allowed.kind === 'rejected')
    return afterRejection(context, history, allowed.notification, allowed.findings);
  const merging = await mergeWork(context, history, checked.checkedWith);
  if (merging.kind === 'conflict') return sendAgain(context, history, 'merge', merging.findings);
  if (merging.kind !== 'merged') return merging.kind;
  await closeMerged(run, held, item, context.worktree.branch);
  return 'over';
}

/** A rejected part is undone; finished work is changed as the person says. */
async function afterRejection(
  context: TaskContext,
  history: WorkHistory,
  rejected: Notification,
  findings: string,
): Promise<'again' | 'over'> {
  const [question] = rejected.questions;
  if (!question?.id.startsWith('work-')) return sendAgain(context, history, 'fix', findings);
  const wanted = await wantedChanges(context, rejected);
  if (wanted !== undefined) return sendAgain(context, history, 'refine', wanted);
  const { name } = rejected.resolvedBy?.actor ?? { name: 'A person' };
  const { item } = context;
  throw new Refusal(
    'rejected',
    `${name} rejected the work and did not say why. Say in the task's conversation what to change (${cmd`tasks say ${item.taskId} TEXT`}), then: ${item.resume}`,
  );
}

/** What the person said with the rejection, or in the task's chat since. */
async function wantedChanges(
  { run, held }: TaskContext,
  { responses: [response], reason }: Notification,
): Promise<string | undefined> {
  const { ledger, projectId } = run.around;
  const said = response?.kind === 'answered' ? response.note : reason;
  const since = (await ledger.tasks.chat(projectId, held.task.id)).filter(
    ({ by, at, notificationId }) =>
      by.actor.kind === 'person' && notificationId === null && at > (response?.at ?? ''),
  );
  const wanted = [...(said?.trim() ? [said] : []), ...since.map(({ text }) => text)].join('\n\n');
  return wanted === '' ? undefined : wanted;
}

/** Ends a task whose work is merged. */
export async function closeMerged(
  run: TaskContext['run'],
  held: HeldTask,
  item: WorkItem,
  branch: string,
): Promise<void> {
  const { ledger, projectId, by, git } = run.around;
  const { id, fence } = held.task;
  const worktree = await ledger.worktrees.find(projectId, branch);
  if (worktree) await requireTaskPermit('close', { ledger, projectId, git }, id, worktree);
  await ledger.tasks.close(projectId, id, by, fence);
  crashPoint('complete.closed');
  run.tell(item, `done: merged into ${run.featureBranch}`);
}
