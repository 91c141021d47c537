import { setTimeout as sleep } from 'node:timers/promises';
import { isAsking } from '../../schema/task.ts';
import type { GateWait } from '../gates/block-gate.ts';
import { testingGate } from '../gates/phase-gates.ts';
import { variantsGate } from '../gates/variants-gate.ts';
import { closePhase } from '../phases/complete.ts';
import { requiresManualTesting } from '../phases/front-matter.ts';
import { groupOf, type PhaseTask } from '../phases/phase-task.ts';
import type { PlanContext } from '../phases/plan-context.ts';
import { checkAutonomy } from './check-autonomy.ts';
import { checkReview } from './check-review.ts';
import { checkWork } from './check-work.ts';
import { mergeWork } from './merge-work.ts';
import type { WorkHistory } from './past-runs.ts';
import type { PhaseContext } from './phase-context.ts';
import { recordSkipped } from './record-skipped.ts';
import { sendAgain } from './send-again.ts';
import type { HeldTask } from './task-loop.ts';

/** Checks a phase whose agent says that it is done. */
export async function verifyPhase(context: PhaseContext, history: WorkHistory): Promise<'again' | 'over'> {
  const { run, held, at } = context;
  const { around: planContext } = run;
  await held.confirm();
  const gates = await checkWork(context, history);
  if (gates === 'interrupted') return 'again';
  if ('findings' in gates) return sendAgain(context, history, gates.purpose, gates.findings);
  const allowed = await checkAutonomy(context, history);
  if (allowed.kind === 'waiting') return 'over';
  if (allowed.kind === 'rejected') return sendAgain(context, history, 'fix', allowed.findings);
  const wanted = await checkReview(context, history);
  if (held.signal.aborted) return 'again';
  if (wanted !== undefined) return sendAgain(context, history, 'review', wanted);
  if (requiresManualTesting(at.front)) {
    const tried = await testingGate(planContext, at, waitFor(context));
    if (!tried.passed) return sendAgain(context, history, 'refine', JSON.stringify(tried, null, 2));
  }
  if (at.variants.length > 0 && !(await isChosen(context))) return 'over';
  await recordSkipped(context, history);
  const merging = await mergeWork(context, history, gates.checkedWith);
  if (merging.kind === 'conflict') return sendAgain(context, history, 'merge', merging.findings);
  if (merging.kind !== 'merged') return merging.kind;
  await closeMerged(context, held);
  return 'over';
}

/** Ends a phase whose work is merged. */
export async function closeMerged(
  { run, at, item }: Pick<PhaseContext, 'run' | 'at' | 'item'>,
  held: HeldTask,
): Promise<void> {
  for (const { branch, problem } of await closePhase(run.around, at, held.task.fence)) {
    if (problem) run.tell(item, `could not discard ${branch}: ${problem}`);
  }
  run.tell(item, `done: merged into ${run.featureBranch}`);
}

/** While it waits for a person, the task does not occupy a slot. */
function waitFor({ run, held, item }: PhaseContext): GateWait {
  return {
    timeoutMs: undefined,
    state: 'committed',
    signal: held.signal,
    person: run.person,
    schemas: run.schemas,
    tell: (sentence) => run.tell(item, sentence),
    onWait: held.onHold,
  };
}

/** Whether this variant is the one to merge. The others are settled when this one is closed. */
async function isChosen(context: PhaseContext): Promise<boolean> {
  const { run, at, held, item } = context;
  const { around: planContext, gateTimeoutMs } = run;
  held.onHold(true);
  await untilAllVariantsAreReady(planContext, at, held.signal);
  // The run stops before the comparison; the next run gets here again.
  if (held.signal.aborted) return false;
  held.onHold(false);
  const { variant_solution } = await variantsGate(planContext, at.number, at.variant, {
    ...waitFor(context),
    gateTimeoutMs,
  });
  run.tell(item, `variant ${at.variant} is ${variant_solution}`);
  return variant_solution === 'main';
}

const LOOK_AGAIN_MS = 500;

/** A person compares all variants at once, so this waits until each has passed its gates or failed. */
async function untilAllVariantsAreReady(
  planContext: PlanContext,
  at: PhaseTask,
  signal: AbortSignal,
): Promise<void> {
  const group = groupOf(planContext.plan, planContext.name, at.number);
  while (
    !signal.aborted &&
    !(await Promise.all(group.map((each) => isReady(planContext, each)))).every(Boolean)
  ) {
    await sleep(LOOK_AGAIN_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function isReady({ ledger, projectId }: PlanContext, { taskId }: PhaseTask): Promise<boolean> {
  const task = await ledger.tasks.get(projectId, taskId);
  // A variant whose agent waits for an answer will continue; one that waits here has passed its gates.
  if (task.status === 'closed' || (task.status === 'blocked' && !isAsking(task))) return true;
  const records = await ledger.phases.list(projectId, taskId);
  const gates = records.findLast((each) => each.kind === 'gates');
  const done = records.findLast((each) => each.kind === 'implementation');
  if (!gates || !done || gates.id < done.id) return false;
  return gates.data.runs.every(({ passed }) => passed);
}
