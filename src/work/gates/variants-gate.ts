import { crashPoint } from '../../ledger/crash-point.ts';
import type { GateMaterial } from '../../schema/gate.ts';
import type { Notification } from '../../schema/notification.ts';
import { isDebug } from '../phases/front-matter.ts';
import { holdPhase } from '../phases/hold.ts';
import { groupOf, type PhaseAtWork, taskIdOf } from '../phases/phase-at-work.ts';
import type { PlanPlace } from '../phases/plan-place.ts';
import { recordedGates } from '../phases/recorded-gates.ts';
import { type GateRun, runGates } from '../phases/run-gates.ts';
import { keepAlternative } from '../phases/settle-variants.ts';
import { worktreeOf } from '../phases/worktree.ts';
import type { GateWait } from './block-gate.ts';
import { variantQuestions } from './gate-questions.ts';
import { answerTo, reasonOf, type Solution, solutionsOf } from './gate-result.ts';
import { gateRunMaterial, textMaterial } from './material.ts';
import { describePhase, phaseMaterial, shownAsWaiting } from './phase-gates.ts';

export interface VariantsWait extends GateWait {
  /** For each gate command that has to be run to be shown beside the others. */
  gateTimeoutMs: number;
}

export interface VariantsResult {
  thoughts: string;
  /** What becomes of the variant that was asked about; of the chosen one where it was about all of them. */
  variant_solution: Solution | undefined;
  reason: string;
  main?: string;
  decisions?: Record<string, Solution>;
  unmerged_alternatives?: string[];
  /** There is nothing to choose among. */
  skipped?: true;
}

/**
 * A person decides once about all variants of a phase. The gate opens with the first variant that comes to it; each
 * further one brings what there is to look at up to date. Whoever comes later gets what was decided.
 */
export async function variantsGate(
  place: PlanPlace,
  number: string,
  variant: string | null,
  wait: VariantsWait,
): Promise<VariantsResult> {
  const group = groupOf(place.plan, place.name, number);
  const [first] = group;
  if (!first || first.variants.length === 0) {
    return { thoughts: '', variant_solution: 'main', reason: 'This phase has no variants.', skipped: true };
  }
  const mine = group.find((each) => each.variant === variant);
  const gate = { kind: 'variants' as const, plan: place.name, phase: first.number, round: 0 };
  const sourceId = taskIdOf(place.name, first.number, null);
  const questions = variantQuestions(
    describePhase({ ...first, variant: null }),
    first.variants,
    isDebug(first.front),
  );
  const alive = mine ? () => holdUndecided(place, mine) : undefined;
  await alive?.();
  const wanted = { gate, sourceId, questions, material: () => sideBySide(place, group, wait) };
  const decided = await shownAsWaiting(place, mine ?? first, wanted, {
    ...wait,
    ...(alive ? { alive } : {}),
  });
  return carriedOut(place, group, mine, decided);
}

/** One that was decided against is closed; its agent may still come to hear so. */
async function holdUndecided(place: PlanPlace, at: PhaseAtWork): Promise<void> {
  const task = await place.ledger.tasks.find(place.projectId, at.taskId);
  if (task?.status !== 'closed') await holdPhase(place, at);
}

/** Diff, results of the gate commands and walkthroughs of each variant. */
async function sideBySide(
  place: PlanPlace,
  group: PhaseAtWork[],
  wait: VariantsWait,
): Promise<GateMaterial[]> {
  const pieces: GateMaterial[] = [];
  for (const at of group) {
    const worktree = await worktreeOf(place, at);
    if (!worktree) {
      pieces.push({
        ...textMaterial('No worktree', 'Nobody has begun to work on it, or its folder is gone.'),
        variant: at.variant ?? '',
      });
      continue;
    }
    const runs =
      (await recordedGates(place, at, worktree)) ?? (await runForComparison(at, worktree.path, wait));
    const [diff, ...walkthroughs] = await phaseMaterial(place, at);
    pieces.push(...(diff ? [diff] : []), gateRunMaterial(runs, at.variant), ...walkthroughs.slice(0, 3));
  }
  return bounded(pieces);
}

function runForComparison(
  { phase, variant }: PhaseAtWork,
  folder: string,
  { gateTimeoutMs, signal, tell }: VariantsWait,
): Promise<GateRun[]> {
  const limits = { timeoutMs: gateTimeoutMs, signal };
  return runGates(phase.file?.gates ?? [], folder, limits, (sentence) =>
    tell(`variant ${variant}, ${sentence}`),
  );
}

/** All of it has to fit into one notification: the longest are cut. */
function bounded(pieces: GateMaterial[]): GateMaterial[] {
  const each = Math.floor(600_000 / Math.max(1, pieces.length) / 3);
  const most = Math.max(2000, each);
  return pieces.map((piece) =>
    piece.text.length > most ? { ...piece, text: `${piece.text.slice(0, most)}\n… cut …` } : piece,
  );
}

/** The tasks of the others are over, and what is kept is on record. Safe to repeat. */
async function carriedOut(
  place: PlanPlace,
  group: PhaseAtWork[],
  mine: PhaseAtWork | undefined,
  decided: Notification,
): Promise<VariantsResult> {
  const { ledger, projectId, by } = place;
  const solutions = solutionsOf(
    decided,
    group.some(({ front }) => isDebug(front)),
  );
  const alternatives: string[] = [];
  for (const at of group) {
    const solution = solutions.get(at.variant ?? '');
    if (solution === undefined || solution === 'main') continue;
    const kept = await keepAlternative(place, at, solution);
    if (kept !== undefined) alternatives.push(kept);
    crashPoint('variants.recorded');
    const task = await ledger.tasks.find(projectId, at.taskId);
    if (task && task.status !== 'closed') await ledger.tasks.close(projectId, at.taskId, by);
  }
  return {
    thoughts: answerTo(decided, 'thoughts'),
    ...ownResult(decided, solutions, mine?.variant ?? null),
    ...(alternatives.length > 0 ? { unmerged_alternatives: alternatives } : {}),
  };
}

/** Asked about the phase as a whole, it is about the variant that was chosen. */
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
