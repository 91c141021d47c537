import { renderProtocol } from '../../protocols/render.ts';
import { resolveProtocol } from '../../protocols/resolve-protocol.ts';
import { cmd } from '../../schema/command-line.ts';
import { FermataError } from '../../schema/error.ts';
import type { PhaseRecord, PhaseRecordOf } from '../../schema/phase-record.ts';
import { Refusal } from '../../schema/refusal.ts';
import { seenContents } from '../gates/seen-content.ts';
import { protocolFor } from '../phases/front-matter.ts';
import { iterationOf } from '../phases/record.ts';
import { reviewMissing, wantsReview } from '../review/review-missing.ts';
import { reviewPhase } from '../review/review-phase.ts';
import type { PhaseContext } from './send-agent.ts';

/**
 * Sees to it that the work is reviewed if its protocol wants that: by the agent itself, by a reviewer that the run sends, or
 * not at all because the person said so, which is put on record. The result is what the reviewer wants changed.
 */
export async function checkReview(context: PhaseContext): Promise<string | undefined> {
  const { run, held, at } = context;
  const { ledger, projectId, cwd } = run.place;
  const protocol = renderProtocol(await resolveProtocol(protocolFor(at.front), { folder: cwd }));
  if (!wantsReview(protocol)) return undefined;
  const [last] = await ledger.runs.of(projectId, 'execute', held.task.id);
  const records = await ledger.phases.list(projectId, at.taskId);
  const content = (await seenContents(run.place, [at], 'committed'))[at.taskId];
  if (reviewMissing(records, last?.startedAt ?? '', content) === undefined) return undefined;
  if (!run.reviewer) {
    await record(context, { kind: 'waived', data: { step: 'review' } });
    return undefined;
  }
  return review(context, run.reviewer);
}

async function review(
  { run, held, at, worktree }: PhaseContext,
  reviewer: NonNullable<PhaseContext['run']['reviewer']>,
): Promise<string | undefined> {
  await held.confirm();
  await run.confirmTrust(worktree);
  const { driver, setup, head } = await reviewer(held.task.id);
  run.tell(at, `${driver.name} reviews it`);
  try {
    const verdict = await reviewPhase(run.place, at, {
      driver,
      setup,
      head,
      state: 'committed',
      signal: held.signal,
      tell: (sentence) => run.tell(at, sentence),
    });
    run.tell(at, `${head} Verdict: ${verdict.verdict}.`);
    return verdict.verdict === 'passed' ? undefined : JSON.stringify(verdict, null, 2);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    refuseOutage(run.place.folder, error);
    if (error.type !== 'nothing_to_review') throw withWayOut(error);
    const data = { verdict: 'passed' as const, thoughts: error.message };
    await record({ run, held, at }, { kind: 'review', data });
    return undefined;
  }
}

async function record(
  { run, held, at }: Pick<PhaseContext, 'run' | 'held' | 'at'>,
  entry: Pick<PhaseRecordOf<'waived'>, 'kind' | 'data'> | Pick<PhaseRecordOf<'review'>, 'kind' | 'data'>,
): Promise<void> {
  const { ledger, projectId, by } = run.place;
  const next = (records: PhaseRecord[]) => ({ ...entry, iteration: iterationOf(records) });
  await ledger.phases.append(projectId, at.taskId, by, next, held.task.fence);
}

/** Without its model the reviewer cannot judge any phase: the whole run stops, and goes on with the reviewer's session. */
function refuseOutage(folder: string, { message, details }: Refusal): void {
  if ((details as { reason?: string } | undefined)?.reason !== 'api_error') return;
  const goOn = cmd`run --resume ${folder}`;
  throw new FermataError('no_agent', `${message} All sessions are kept. Resume with: ${goOn}`);
}

/** It says nothing about the agent's work: that is not sent out again. */
const withWayOut = ({ message, details }: Refusal) =>
  new Refusal(
    'not_reviewed',
    `${message} Set another "reviewer" in fermata.config.json, or run with --no-review to merge without one.`,
    { data: details as object },
  );
