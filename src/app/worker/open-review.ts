import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../../schema/refusal.ts';
import type { ReviewWork, WorkOrder } from '../../schema/work-order.ts';
import { noWorktree } from '../../work/review/review-phase.ts';
import type { Review } from '../../work/review/review-work.ts';
import type { HeldTask } from '../../work/run/task-loop.ts';
import { beginReviewIn } from '../review.ts';
import { stopped } from './assignment.ts';
import { openReviewFolder } from './assignment-folder.ts';
import { asBusy, finishAssignment } from './finish-assignment.ts';
import { inOrderContext, orderTrust } from './order-context.ts';
import type { WorkerParts } from './worker-parts.ts';

/** A review that is ready to start its agent. */
export async function openReview(
  parts: WorkerParts,
  order: WorkOrder & { work: ReviewWork },
  held: HeldTask,
): Promise<() => Promise<void>> {
  const { work, projectId } = order;
  const { signal } = held;
  const record = await parts.ledger.worktrees.find(projectId, work.branch);
  const { remote } = work;
  const folder =
    remote === null
      ? undefined
      : await openReviewFolder(parts, { ...order, work: { ...work, remote } }, signal);
  const path = folder?.cwd ?? record?.path ?? '';
  if (!record || !existsSync(path)) throw noWorktree(work.reviews);
  const phase = work.reviews.slice(work.reviews.indexOf('/') + 1);
  const options = { ...work.options, ...orderTrust, signal };
  const { carryOut } = await inOrderContext(parts, order, signal, (context) =>
    beginReviewIn(context, phase, { ...record, path }, { ...options, plan: join(context.cwd, work.plan) }),
  );
  return async () => {
    const review = await carryOut().catch(asStopped).catch(asBusy);
    if (signal.aborted) return;
    await finishAssignment(parts, held, described(review));
    folder?.discard();
  };
}

const described = ({ head, verdict, thoughts }: Review) =>
  `${head} Verdict: ${verdict}. ${thoughts ?? ''}`.trim();

/** An unavailable model or a killed program says nothing about the work. */
function asStopped(error: unknown): never {
  if (!(error instanceof Refusal) || error.type !== 'agent_failed') throw error;
  const { message, details } = error;
  throw stopped({ ...(details as { reason: string }), message });
}
