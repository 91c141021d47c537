import { crashPoint } from '../../ledger/crash-point.ts';
import type { Notification } from '../../schema/notification.ts';
import type { PhaseRecord } from '../../schema/phase-record.ts';
import type { Worktree } from '../../schema/worktree.ts';
import { solutionOf } from '../gates/gate-result.ts';
import { gatesOf, missingGates } from '../gates/human-gates.ts';
import { Refusal } from '../refusal.ts';
import { deferred, fenceOf, holdPhase } from './hold.ts';
import type { PhaseAtWork } from './phase-at-work.ts';
import type { PlanPlace } from './plan-place.ts';
import { iterationOf } from './record.ts';
import { committedState } from './recorded-gates.ts';
import { type GateRun, runGates } from './run-gates.ts';
import { type ArchivedVariant, settleVariants } from './settle-variants.ts';
import { showStatus } from './show-status.ts';
import { worktreeOf } from './worktree.ts';

export interface CompleteOptions {
  /** For each gate command. */
  timeoutMs: number;
  signal: AbortSignal;
  tell(sentence: string): void;
}

/** Completes a phase: people have answered, we ran the gate commands ourselves, and all of them succeeded. */
export async function completePhase(
  place: PlanPlace,
  at: PhaseAtWork,
  options: CompleteOptions,
): Promise<object> {
  const { ledger, projectId } = place;
  const gates = await gatesOf(place, at);
  refuseNotMain(at, gates);
  const task = await ledger.tasks.find(projectId, at.taskId);
  if (task?.status === 'closed') {
    const archived = await settleVariants(place, at);
    return { ...(await completed(place, at, [], archived)), already_completed: true };
  }
  const held = await holdPhase(place, at);
  const records = await ledger.phases.list(projectId, at.taskId);
  const missing = missingGates(at, records, gates);
  if (missing.length > 0) {
    throw new Refusal('human_gates_open', missing.join(' '), {
      suggestion: 'Each of them is asked with its own command, and answered by a person.',
      data: { missing },
    });
  }
  const runs = await runPhaseGates(place, at, options);
  crashPoint('complete.checked');
  if (fenceOf(place) !== undefined) return { id: at.taskId, completed: false, ...deferred, gates: runs };
  return closePhase(place, at, runs, held.status === 'in_progress' ? held.fence : undefined);
}

/** What a phase came to. */
interface CompletedPhase {
  id: string;
  completed: true;
  already_completed: boolean;
  merged: boolean;
  gates: GateRun[];
  unmerged_alternatives: string[];
  /** What was decided to be discarded. */
  archived?: ArchivedVariant[];
}

/**
 * The phase is done: what was decided against is archived, its task is closed, and the plan's file shows it. In this
 * order, so that whoever comes after a crash does what is left.
 */
export async function closePhase(
  place: PlanPlace,
  at: PhaseAtWork,
  runs: GateRun[],
  fence: number | undefined,
): Promise<CompletedPhase> {
  const { ledger, projectId, by } = place;
  const archived = await settleVariants(place, at);
  await ledger.tasks.close(projectId, at.taskId, by, fence);
  crashPoint('complete.closed');
  return completed(place, at, runs, archived);
}

/** What was decided against is over, but never complete. */
function refuseNotMain(at: PhaseAtWork, gates: Notification[]): void {
  const solution = solutionOf(gates, at);
  if (solution === undefined || solution === 'main') return;
  throw new Refusal(
    'not_main',
    `Variant ${at.variant} was decided to be ${solution}: only the main one is completed.`,
  );
}

/** Runs the gate commands where the phase was worked on, keeps what they said, and refuses when one of them failed. */
export async function runPhaseGates(
  place: PlanPlace,
  at: PhaseAtWork,
  options: CompleteOptions,
): Promise<GateRun[]> {
  const cwd = (await worktreeOf(place, at))?.path ?? place.checkouts.feature;
  const commit = place.git && (await committedState(cwd));
  const runs = await runGates(at.phase.file?.gates ?? [], cwd, options, options.tell);
  if (options.signal.aborted || runs.some(({ problem }) => problem === 'interrupted'))
    throw new Refusal('interrupted', 'Interrupted: nothing was completed.');
  const { ledger, projectId, by } = place;
  const data = { cwd, runs, ...(commit === undefined ? {} : { commit }) };
  const record = (records: PhaseRecord[]) => ({
    kind: 'gates' as const,
    iteration: iterationOf(records),
    data,
  });
  await ledger.phases.append(projectId, at.taskId, by, record, fenceOf(place));
  const failed = runs.filter(({ passed }) => !passed);
  if (failed.length === 0) return runs;
  const names = failed.map(
    ({ name, problem, exit_code }) =>
      `${name} (${problem === 'failed' ? `exit code ${exit_code}` : problem})`,
  );
  throw new Refusal('gates_failed', `Gate commands did not succeed: ${names.join(', ')}.`, {
    suggestion: 'Correct what they found, record it as the next iteration, and complete it again.',
    data: { gates: runs, folder: cwd },
  });
}

async function completed(
  place: PlanPlace,
  at: PhaseAtWork,
  gates: GateRun[],
  archived: ArchivedVariant[],
): Promise<CompletedPhase> {
  await showStatus(place, at);
  const worktree = await worktreeOf(place, at);
  const alternatives = await unmergedAlternatives(place, at);
  return {
    id: at.taskId,
    completed: true,
    already_completed: false,
    merged: worktree?.state === 'merged',
    gates,
    unmerged_alternatives: alternatives.map(({ branch }) => branch),
    ...(archived.length > 0 ? { archived } : {}),
  };
}

/** Worktrees of the same phase that were kept beside the merged one. */
async function unmergedAlternatives(
  { ledger, projectId, here }: PlanPlace,
  at: PhaseAtWork,
): Promise<Worktree[]> {
  return (await ledger.worktrees.list(projectId)).filter(
    ({ state, phase, featureBranch }) =>
      state === 'alternative' && phase === at.number && featureBranch === here.featureBranch,
  );
}
