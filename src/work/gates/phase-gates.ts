import type { GateMaterial, HumanGate } from '../../schema/gate.ts';
import type { Notification } from '../../schema/notification.ts';
import { diffBase } from '../git/diff-base.ts';
import { isDebug } from '../phases/front-matter.ts';
import { holdPhase } from '../phases/hold.ts';
import type { PhaseAtWork } from '../phases/phase-at-work.ts';
import type { PlanPlace } from '../phases/plan-place.ts';
import { showStatus } from '../phases/show-status.ts';
import { worktreeOf } from '../phases/worktree.ts';
import { blockGate, type GateWait, type WantedGate } from './block-gate.ts';
import { type GateQuestion, loggingQuestions, testingQuestions } from './gate-questions.ts';
import { loggingResult, testingResult } from './gate-result.ts';
import { roundOf } from './human-gates.ts';
import { diffMaterial, walkthroughMaterial } from './material.ts';

/** An agent holds until a person has tried what it made. */
export async function testingGate(place: PlanPlace, at: PhaseAtWork, wait: GateWait): Promise<object> {
  return testingResult(await phaseGate(place, at, 'testing', testingQuestions(describePhase(at)), wait));
}

/** An agent holds until a person has run what it put logging into. */
export async function loggingGate(place: PlanPlace, at: PhaseAtWork, wait: GateWait): Promise<object> {
  return loggingResult(await phaseGate(place, at, 'logging', loggingQuestions(describePhase(at)), wait));
}

async function phaseGate(
  place: PlanPlace,
  at: PhaseAtWork,
  kind: HumanGate['kind'],
  questions: GateQuestion[],
  wait: GateWait,
) {
  const alive = () => holdPhase(place, at);
  await alive();
  const round = roundOf(await place.ledger.phases.list(place.projectId, at.taskId));
  const { number, variant } = at;
  const worktree = await worktreeOf(place, at);
  const placed = worktree ? triedIn(worktree.path, questions) : questions;
  const gate = { kind, plan: place.name, phase: number, ...(variant ? { variant } : {}), round };
  const material = () => phaseMaterial(place, at);
  return shownAsWaiting(
    place,
    at,
    { gate, sourceId: at.taskId, questions: placed, material },
    { ...wait, alive },
  );
}

/** It is tried where its agent worked: nothing is merged yet. */
function triedIn(worktree: string, questions: GateQuestion[]): GateQuestion[] {
  return questions.map((question, index) =>
    index === 0 ? { ...question, context: `It is in ${worktree}` } : question,
  );
}

/** The plan's file shows that a person is waited for, and that it is over, however it ended. */
export async function shownAsWaiting(
  place: PlanPlace,
  at: PhaseAtWork,
  wanted: WantedGate,
  wait: GateWait,
): Promise<Notification> {
  const show = () => showStatus(place, at);
  try {
    return await blockGate(place, wanted, { ...wait, onOpen: show });
  } finally {
    await show();
  }
}

/** What was changed in a phase, and what its agent says about it. */
export async function phaseMaterial(place: PlanPlace, at: PhaseAtWork): Promise<GateMaterial[]> {
  const { ledger, projectId, here } = place;
  const records = await ledger.phases.list(projectId, at.taskId);
  const worktree = await worktreeOf(place, at);
  if (!worktree) return walkthroughMaterial(records, at.variant);
  const { files, insertions, deletions, diff } = await diffBase(worktree.path, here.featureBranch);
  const counts = `${files.length} ${files.length === 1 ? 'file' : 'files'}, +${insertions} -${deletions}`;
  return [diffMaterial(diff, counts, at.variant), ...walkthroughMaterial(records, at.variant)];
}

export function describePhase({ phase, number, variant, front }: PhaseAtWork): string {
  const what = isDebug(front) ? 'the fix of' : 'phase';
  return `${what} ${number}${variant ? ` ${variant}` : ''} (${phase.title})`;
}
