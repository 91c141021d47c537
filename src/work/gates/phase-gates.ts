import { diffBase } from '../../git/diff-base.ts';
import { quoted } from '../../schema/command-line.ts';
import { counted } from '../../schema/counted.ts';
import type { HumanGate } from '../../schema/gate.ts';
import type { Notification } from '../../schema/notification.ts';
import { isDebug } from '../phases/front-matter.ts';
import { holdPhase } from '../phases/hold.ts';
import type { PhaseTask } from '../phases/phase-task.ts';
import type { PlanContext } from '../phases/plan-context.ts';
import { showStatus } from '../phases/show-status.ts';
import { worktreeOf } from '../phases/worktree.ts';
import { blockGate, type GateWait, type WantedGate } from './block-gate.ts';
import type { Material } from './fit-material.ts';
import { type GateQuestion, loggingQuestions, testingQuestions, withContext } from './gate-questions.ts';
import { loggingResult, testingResult } from './gate-result.ts';
import { answeredGates, gatesOf, outdatedAnswers, roundOf } from './human-gates.ts';
import { diffMaterial, walkthroughMaterial } from './material.ts';
import { seenContents } from './seen-content.ts';

/** Makes an agent wait until a person has tested its work. Work that changed after it passed is tested again. */
export async function testingGate(planContext: PlanContext, at: PhaseTask, wait: GateWait) {
  const questions = testingQuestions(describePhase(at));
  return testingResult(await phaseGate(planContext, at, 'testing', questions, wait));
}

/** Makes an agent wait until a person has run the code with its logging. */
export async function loggingGate(planContext: PlanContext, at: PhaseTask, wait: GateWait): Promise<object> {
  return loggingResult(
    await phaseGate(planContext, at, 'logging', loggingQuestions(describePhase(at)), wait),
  );
}

async function phaseGate(
  planContext: PlanContext,
  at: PhaseTask,
  kind: HumanGate['kind'],
  questions: GateQuestion[],
  wait: GateWait,
) {
  const alive = () => holdPhase(planContext, at);
  await alive();
  const round = roundOf(await planContext.ledger.phases.list(planContext.projectId, at.taskId));
  const { number, variant } = at;
  const worktree = await worktreeOf(planContext, at);
  const contents = kind === 'testing' ? await seenContents(planContext, [at], wait.state ?? 'files') : {};
  const answered = answeredGates(await gatesOf(planContext, at), kind, round);
  const outdated = outdatedAnswers(answered, [at], contents);
  const context = [
    ...(outdated > 0 ? ['It changed after it passed its last test.'] : []),
    // Nothing is merged yet.
    ...(worktree ? [`It is in ${worktree.path}`] : []),
  ];
  const gate = {
    kind,
    plan: planContext.name,
    phase: number,
    ...(variant ? { variant } : {}),
    round,
    ...(kind === 'testing' ? { contents } : {}),
  };
  const material = () => phaseMaterial(planContext, at);
  return shownAsWaiting(
    planContext,
    at,
    { gate, sourceId: at.taskId, questions: withContext(questions, context), material, outdated },
    { ...wait, alive },
  );
}

/** Shows in the plan's file that the phase waits for a person, and removes that afterwards, however it ended. */
export async function shownAsWaiting(
  planContext: PlanContext,
  at: PhaseTask,
  wanted: WantedGate,
  wait: GateWait,
): Promise<Notification> {
  const show = () => showStatus(planContext, at);
  try {
    return await blockGate(planContext, wanted, { ...wait, onOpen: show });
  } finally {
    await show();
  }
}

/** The changes of a phase, and its agent's walkthroughs. */
export async function phaseMaterial(planContext: PlanContext, at: PhaseTask): Promise<Material[]> {
  const { ledger, projectId, here } = planContext;
  const records = await ledger.phases.list(projectId, at.taskId);
  const worktree = await worktreeOf(planContext, at);
  if (!worktree) return walkthroughMaterial(records, at.variant);
  const { base, files, insertions, deletions, diff } = await diffBase(worktree.path, here.featureBranch);
  const counts = `${counted(files.length, 'file')}, +${insertions} -${deletions}`;
  const whole = `Full diff: git -C ${quoted(worktree.path)} diff ${base.mergeBase ?? base.commit}`;
  return [diffMaterial(diff, counts, at.variant, whole), ...walkthroughMaterial(records, at.variant)];
}

export function describePhase({ phase, number, variant, front }: PhaseTask): string {
  const what = isDebug(front) ? 'the fix in phase' : 'phase';
  return `${what} ${number}${variant ? ` ${variant}` : ''} (${phase.title})`;
}
