import { renderProtocol } from '../../protocols/render.ts';
import { resolveProtocol } from '../../protocols/resolve-protocol.ts';
import { Refusal } from '../../schema/refusal.ts';
import { seenContent } from '../gates/seen-content.ts';
import { reviewMissing, wantsReview } from '../review/review-missing.ts';
import { reviewWork } from '../review/review-work.ts';
import { ModelOutage } from './faults.ts';
import type { History } from './history.ts';
import type { Checked } from './perform.ts';
import type { TaskContext } from './work-run.ts';

/**
 * Makes sure that the work is reviewed if its protocol requires it: by the agent itself, by a reviewer of the run, or not
 * at all if the person said so, which is recorded.
 */
export async function checkReview(context: TaskContext, { runs: [last] }: History): Promise<Checked> {
  const { run, held, item, worktree } = context;
  const { ledger, projectId, by, cwd } = run.around;
  const protocol = renderProtocol(await resolveProtocol(item.protocol, { folder: cwd }));
  if (!wantsReview(protocol)) return { kind: 'pass' };
  const records = await ledger.phases.list(projectId, item.taskId);
  const wasReviewed = records.some(({ kind }) => kind === 'review');
  const seen = wasReviewed ? await seenContent(worktree, 'committed') : undefined;
  if (reviewMissing(records, last?.startedAt ?? '', seen?.files) === undefined) return { kind: 'pass' };
  if (!run.reviewer) {
    const waived = { kind: 'waived' as const, data: { step: 'review' as const } };
    await ledger.phases.add(projectId, item.taskId, by, waived, held.task.fence);
    return { kind: 'pass' };
  }
  return review(context, run.reviewer);
}

async function review(
  { run, held, item, worktree }: TaskContext,
  reviewer: NonNullable<TaskContext['run']['reviewer']>,
): Promise<Checked> {
  await held.confirm();
  await run.confirmTrust(worktree);
  const { driver, setup, head } = await reviewer(held.task.id);
  run.tell(item, `${driver.name} reviews it`);
  try {
    const { taskId, title, resume: again } = item;
    const text = await item.reviewed();
    const work = { taskId, title, text, worktree, again };
    const verdict = await reviewWork(run.around, work, {
      driver,
      setup,
      head,
      state: 'committed',
      signal: held.signal,
      tell: (sentence) => run.tell(item, sentence),
      held: { fence: held.task.fence, onHold: held.onHold },
    });
    run.tell(item, `${head} Verdict: ${verdict.verdict}.`);
    if (verdict.verdict === 'passed') return { kind: 'pass' };
    return { kind: 'send_back', purpose: 'review', findings: JSON.stringify(verdict, null, 2) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (reasonOf(error) === 'waiting') return { kind: 'wait' };
    refuseOutage(item.resume, error);
    if (error.type !== 'nothing_to_review') throw withReviewHint(item.kind, error);
    const { ledger, projectId, by } = run.around;
    const passed = { kind: 'review' as const, data: { verdict: 'passed' as const, thoughts: error.message } };
    await ledger.phases.add(projectId, item.taskId, by, passed, held.task.fence);
    return { kind: 'pass' };
  }
}

/**
 * Without its model the reviewer cannot judge any phase, so the whole run stops; later it continues with the reviewer's
 * session.
 */
function refuseOutage(resume: string, error: Refusal): void {
  if (reasonOf(error) === 'api_error') throw new ModelOutage(error.message, resume);
}

/** How the reviewer's run ended. */
const reasonOf = ({ details }: Refusal) => (details as { reason?: string } | undefined)?.reason;

/** A failed review says nothing about the agent's work, so the agent is not started again. */
const withReviewHint = (kind: TaskContext['item']['kind'], { message, details }: Refusal) =>
  new Refusal(
    'not_reviewed',
    `${message} Set another "reviewer" in fermata.config.json, or resume with --no-review to merge without a review. Unblock the ${kind} first.`,
    { data: details as object },
  );
