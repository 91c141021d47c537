import { crashPoint } from '../../ledger/crash-point.ts';
import type { By } from '../../schema/actor.ts';
import type { Notification } from '../../schema/notification.ts';
import type { GateRun } from '../../schema/phase-record.ts';
import { isDebug } from '../phases/front-matter.ts';
import { holdPhase } from '../phases/hold.ts';
import { groupOf, type PhaseTask, taskIdOf } from '../phases/phase-task.ts';
import type { PlanContext } from '../phases/plan-context.ts';
import { recordedGates } from '../phases/recorded-gates.ts';
import { runGates } from '../phases/run-gates.ts';
import { keepAlternative } from '../phases/settle-variants.ts';
import { worktreeOf } from '../phases/worktree.ts';
import type { GateWait } from './block-gate.ts';
import type { Material } from './fit-material.ts';
import { variantQuestions, withContext } from './gate-questions.ts';
import { answerTo, reasonOf, type Solution, solutionsOf } from './gate-result.ts';
import { answeredGates, gatesOf, outdatedAnswers, VARIANTS_ROUND } from './human-gates.ts';
import { gateRunMaterial, textMaterial } from './material.ts';
import { describePhase, phaseMaterial, shownAsWaiting } from './phase-gates.ts';
import { seenContents } from './seen-content.ts';

export interface VariantsWait extends GateWait {
  /** The timeout of each gate command that has to run for the comparison. */
  gateTimeoutMs: number;
}

export interface VariantsResult {
  thoughts: string;
  /** The decision about the given variant, or the chosen one if the call was about all of them. */
  variant_solution: Solution | undefined;
  reason: string;
  main?: string;
  decisions?: Record<string, Solution>;
  unmerged_alternatives?: string[];
  /** There is only one variant. */
  skipped?: true;
}

/**
 * A person decides once about all variants of a phase. The gate opens with the first variant that reaches it; each
 * further one updates the material. Later callers get the decision.
 */
export async function variantsGate(
  planContext: PlanContext,
  number: string,
  variant: string | null,
  wait: VariantsWait,
): Promise<VariantsResult> {
  const group = groupOf(planContext.plan, planContext.name, number);
  const [first] = group;
  if (!first || first.variants.length === 0) {
    return { thoughts: '', variant_solution: 'main', reason: 'This phase has no variants.', skipped: true };
  }
  const mine = group.find((each) => each.variant === variant);
  const alive = mine ? () => holdUndecided(planContext, mine) : undefined;
  await alive?.();
  const contents = await seenContents(planContext, group, wait.state ?? 'files');
  const round = VARIANTS_ROUND;
  const answered = answeredGates(await gatesOf(planContext, first), 'variants', round);
  const outdated = outdatedAnswers(answered, group, contents);
  const described = describePhase({ ...first, variant: null });
  const wanted = {
    gate: { kind: 'variants' as const, plan: planContext.name, phase: first.number, round, contents },
    sourceId: taskIdOf(planContext.name, first.number, null),
    questions: withContext(
      variantQuestions(described, first.variants, isDebug(first.front)),
      outdated > 0 ? ['The main variant changed after it was chosen.'] : [],
    ),
    material: () => sideBySide(planContext, group, wait),
    outdated,
  };
  const decided = await shownAsWaiting(planContext, mine ?? first, wanted, {
    ...wait,
    ...(alive ? { alive } : {}),
  });
  return applyDecision(planContext, group, mine, decided);
}

/** A rejected variant is closed, but its agent may still ask for the result. */
async function holdUndecided(planContext: PlanContext, at: PhaseTask): Promise<void> {
  const task = await planContext.ledger.tasks.find(planContext.projectId, at.taskId);
  if (task?.status !== 'closed') await holdPhase(planContext, at);
}

/** Diff, gate results and walkthroughs of each variant. */
async function sideBySide(
  planContext: PlanContext,
  group: PhaseTask[],
  wait: VariantsWait,
): Promise<Material[]> {
  const pieces: Material[] = [];
  for (const at of group) {
    const records = await planContext.ledger.phases.list(planContext.projectId, at.taskId);
    const worktree = await worktreeOf(planContext, at, records);
    if (!worktree) {
      pieces.push({
        ...textMaterial('No worktree', 'Nobody has started on it, or its folder was deleted.'),
        variant: at.variant ?? '',
      });
      continue;
    }
    const runs =
      (await recordedGates(records, at.phase.file?.gates ?? [], worktree)) ??
      (await runForComparison(at, worktree.path, wait));
    const [diff, ...walkthroughs] = await phaseMaterial(planContext, at);
    pieces.push(...(diff ? [diff] : []), gateRunMaterial(runs, at.variant), ...walkthroughs.slice(0, 3));
  }
  return pieces;
}

function runForComparison(
  { phase, variant }: PhaseTask,
  folder: string,
  { gateTimeoutMs, signal, tell }: VariantsWait,
): Promise<GateRun[]> {
  const limits = { timeoutMs: gateTimeoutMs, signal };
  return runGates(phase.file?.gates ?? [], folder, limits, (sentence) =>
    tell(`variant ${variant}, ${sentence}`),
  );
}

/** Closes the tasks of the other variants and records what is kept. Safe to repeat. */
async function applyDecision(
  planContext: PlanContext,
  group: PhaseTask[],
  mine: PhaseTask | undefined,
  decided: Notification,
): Promise<VariantsResult> {
  const { ledger, projectId } = planContext;
  // Even if an agent asked, the person who decided closes the others.
  const by = decided.resolvedBy ?? planContext.by;
  const solutions = solutionsOf(
    decided,
    group.some(({ front }) => isDebug(front)),
  );
  const alternatives: string[] = [];
  for (const at of group) {
    const solution = solutions.get(at.variant ?? '');
    if (solution === 'main') await reopenVariant(planContext, at, by);
    if (solution === undefined || solution === 'main') continue;
    const kept = await keepAlternative(planContext, at, solution);
    if (kept !== undefined) alternatives.push(kept);
    crashPoint('variants.recorded');
    const task = await ledger.tasks.find(projectId, at.taskId);
    if (task && task.status !== 'closed') await ledger.tasks.end(projectId, at.taskId, by);
  }
  return {
    thoughts: answerTo(decided, 'thoughts'),
    ...ownResult(decided, solutions, mine?.variant ?? null),
    ...(alternatives.length > 0 ? { unmerged_alternatives: alternatives } : {}),
  };
}

/** Reopens a variant that an outdated choice had rejected. */
async function reopenVariant(planContext: PlanContext, at: PhaseTask, by: By): Promise<void> {
  const { ledger, projectId } = planContext;
  const task = await ledger.tasks.find(projectId, at.taskId);
  const worktree = await worktreeOf(planContext, at);
  if (task?.status !== 'closed' || !worktree || worktree.state === 'merged') return;
  if (worktree.state === 'alternative')
    await ledger.worktrees.change(projectId, worktree.branch, { state: 'active' }, by);
  await ledger.tasks.reopen(projectId, at.taskId, by);
}

/** If asked about the phase as a whole, returns the chosen variant. */
function ownResult(decided: Notification, solutions: Map<string, Solution>, variant: string | null) {
  const main = [...solutions.keys()].find((letter) => solutions.get(letter) === 'main') ?? '';
  const about = variant ?? main;
  return {
    variant_solution: solutions.get(about),
    reason: reasonOf(decided, about),
    main,
    decisions: Object.fromEntries(solutions),
  };
}
