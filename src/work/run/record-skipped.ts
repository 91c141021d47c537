import { statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { planPath } from '../../plan/grammar/master.ts';
import { renderProtocol } from '../../protocols/render.ts';
import { resolveProtocol } from '../../protocols/resolve-protocol.ts';
import type { PhaseRecord, SkippedStep } from '../../schema/phase-record.ts';
import { protocolFor } from '../phases/front-matter.ts';
import { iterationOf } from '../phases/record.ts';
import { reviewMissing, wantsReview } from '../review/review-missing.ts';
import { planOnRecord } from '../worktrees/plan-on-record.ts';
import type { History } from './history.ts';
import type { PhaseContext } from './work-run.ts';

/** Records which steps of a phase were skipped, for the report of this and later runs. */
export async function recordSkipped(context: PhaseContext, { runs: [last] }: History): Promise<void> {
  const { run, held, at } = context;
  const { ledger, projectId, by, cwd } = run.around;
  const protocol = renderProtocol(await resolveProtocol(protocolFor(at.front), { folder: cwd }));
  const record = (records: PhaseRecord[]) => {
    const startedAt = last?.startedAt ?? '';
    const steps = skippedSteps({ protocol, records, startedAt, notes: notesOf(context) });
    if (steps.length === 0 && !records.some(({ kind }) => kind === 'skipped')) return undefined;
    return { kind: 'skipped' as const, iteration: iterationOf(records), data: { steps } };
  };
  await ledger.phases.append(projectId, at.taskId, by, record, held.task.fence);
}

/** Notes belong in the plan's folder; an agent may take the path relative to its worktree instead. */
function notesOf({ run, at, worktree }: PhaseContext): FinishedPhase['notes'] {
  const output = at.phase.file?.notes.output;
  const target = output && planPath(output.path);
  if (!target || !('path' in target)) return undefined;
  const { checkouts, folder } = run.around;
  const plan = planOnRecord(checkouts.feature, folder);
  const folders = [isAbsolute(plan) ? plan : join(worktree.path, plan), worktree.path];
  return { path: target.path, written: folders.some((each) => isWritten(join(each, target.path))) };
}

const isWritten = (path: string) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;

/** What is known about a phase that is about to close. */
export interface FinishedPhase {
  /** The protocol that its agent followed. */
  protocol: string;
  records: readonly PhaseRecord[];
  /** When its last agent was started. */
  startedAt: string;
  /** Where its notes belong, and whether they are written; undefined if it needs none. */
  notes: { path: string; written: boolean } | undefined;
}

/** The steps of a phase that were skipped, for the report at the end of the run. */
export function skippedSteps({ protocol, records, startedAt, notes }: FinishedPhase): SkippedStep[] {
  const review = wantsReview(protocol) ? reviewMissing(records, startedAt) : undefined;
  return [
    ...(review ? [{ step: 'review' as const, reason: review }] : []),
    ...(notes && !notes.written
      ? [{ step: 'notes' as const, reason: `The agent did not write ${notes.path}.` }]
      : []),
  ];
}
