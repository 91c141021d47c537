import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from '../../../schema/refusal.ts';
import { isAsking } from '../../../schema/task.ts';
import type { GateWait } from '../../gates/block-gate.ts';
import { testingGate } from '../../gates/phase-gates.ts';
import { variantsGate } from '../../gates/variants-gate.ts';
import { closePhase } from '../../phases/complete.ts';
import { requiresManualTesting } from '../../phases/front-matter.ts';
import { groupOf, type PhaseTask, phaseTasks } from '../../phases/phase-task.ts';
import type { PlanContext } from '../../phases/plan-context.ts';
import { startPhase } from '../../phases/start.ts';
import { approvedPlan } from '../../plans/approved-plan.ts';
import { checkAutonomy } from '../../run/check-autonomy.ts';
import { checkReview } from '../../run/check-review.ts';
import { checkWork } from '../../run/check-work.ts';
import { executeWork } from '../../run/execute-work.ts';
import { takeUpMerge } from '../../run/merge-work.ts';
import type { Checked } from '../../run/perform.ts';
import { recordSkipped } from '../../run/record-skipped.ts';
import { isReplaced } from '../../run/refuse-replaced.ts';
import type { HeldTask } from '../../run/task-loop.ts';
import type { PhaseContext, PlanRun } from '../../run/work-run.ts';
import type { WantedWorktree } from '../../worktrees/open-worktree.ts';
import { planOnRecord } from '../../worktrees/plan-on-record.ts';
import { worktreeBranch } from '../../worktrees/worktree-branch.ts';
import { phaseItem } from './phase-item.ts';

/** Executes a phase as far as possible. */
export async function executePhase(run: PlanRun, held: HeldTask): Promise<void> {
  const phase = await openPhase(run, held);
  const wanted = wantedFor(phase);
  // Not if the plan has another phase with this number by now.
  const isOther = await isReplaced(phase.run.around, phase.at);
  if (!isOther && (await takeUpMerge(phase, wanted.branch))) return closeMerged(phase);
  return executeWork<PhaseContext>(phase, {
    wanted,
    begin: async (worktree) => {
      const { around, driver } = phase.run;
      await startPhase(around, phase.at, { specialist: driver.name, worktree: worktree.branch });
      return { ...phase, worktree };
    },
    checks: [checkWork, checkAutonomy, checkReview, checkTested, checkChosen],
    beforeMerge: recordSkipped,
    close: () => closeMerged(phase),
  });
}

type HeldPhase = Omit<PhaseContext, 'worktree'>;

async function openPhase(run: PlanRun, held: HeldTask): Promise<HeldPhase> {
  const { fence } = held.task;
  const git = { ...run.around.git, confirm: held.confirm, signal: held.signal, fence };
  const { ledger, projectId, name, written } = run.around;
  // A person may have approved other terms with the merge of an earlier phase.
  const approved = await approvedPlan(ledger, projectId, name, written);
  const own = { ...run, around: { ...run.around, plan: approved, git, fence } };
  const at = phaseTasks(approved, name).find(({ taskId }) => taskId === held.task.id);
  if (!at) throw new Refusal('not_found', `${held.task.id} is no longer in the plan.`);
  return { run: own, held, at, item: phaseItem(own, at) };
}

function wantedFor({ run, at: { number: phase, variant } }: HeldPhase): WantedWorktree {
  const { name, checkouts, folder } = run.around;
  const feature = run.featureBranch;
  const branch = worktreeBranch({ feature, plan: name, phase, variant });
  return { branch, feature, plan: planOnRecord(checkouts.feature, folder), phase, variant };
}

async function checkTested(context: PhaseContext): Promise<Checked> {
  if (!requiresManualTesting(context.at.front)) return { kind: 'pass' };
  const tested = await testingGate(context.run.around, context.at, waitFor(context));
  if (tested.passed) return { kind: 'pass' };
  return { kind: 'send_back', purpose: 'refine', findings: JSON.stringify(tested, null, 2) };
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

const chosenWords = {
  main: 'you chose this variant: it is merged',
  alternative: 'you keep this variant as an alternative: it is not merged',
  discard: 'you discarded this variant',
} as const;

/** Only one variant is merged. The others are settled when this one is closed. */
async function checkChosen(context: PhaseContext): Promise<Checked> {
  const { run, at, held, item } = context;
  if (at.variants.length === 0) return { kind: 'pass' };
  const { around: planContext, gateTimeoutMs } = run;
  held.onHold(true);
  await untilAllVariantsAreReady(planContext, at, held.signal);
  // The run stops before the comparison; the next run gets here again.
  if (held.signal.aborted) return { kind: 'wait' };
  held.onHold(false);
  const { variant_solution } = await variantsGate(planContext, at.number, at.variant, {
    ...waitFor(context),
    gateTimeoutMs,
  });
  run.tell(item, chosenWords[variant_solution ?? 'alternative']);
  return { kind: variant_solution === 'main' ? 'pass' : 'wait' };
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

async function closeMerged({ run, held, at, item }: HeldPhase): Promise<void> {
  for (const { branch, problem } of await closePhase(run.around, at, held.task.fence)) {
    if (problem) run.tell(item, `could not discard ${branch}: ${problem}`);
  }
  run.tell(item, `done: merged into ${run.featureBranch}`);
}
