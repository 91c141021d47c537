import type { Notification } from '../../schema/notification.ts';
import { isDebug } from '../phases/front-matter.ts';
import type { PhaseTask } from '../phases/phase-task.ts';

export type Solution = 'main' | 'alternative' | 'discard';

/** A person's answer to one question of a gate; empty if it was skipped. */
export function answerTo({ responses }: Notification, questionId: string): string {
  const response = responses.find((each) => each.questionId === questionId);
  return response?.kind === 'answered' ? [response.answer].flat().join(', ') : '';
}

/** `{thoughts, passed, refinements?, user_required_changes?, logs?}`; two protocols use different names for the changes. */
export function testingResult(gate: Notification) {
  const changes = answerTo(gate, 'refinements');
  const logs = answerTo(gate, 'logs');
  return {
    thoughts: answerTo(gate, 'thoughts'),
    passed: answerTo(gate, 'passed') === 'passed',
    ...(changes ? { refinements: changes, user_required_changes: changes } : {}),
    ...(logs ? { logs } : {}),
  };
}

export function loggingResult(gate: Notification): object {
  return { thoughts: answerTo(gate, 'thoughts'), logs: answerTo(gate, 'logs') };
}

/** The decision about each variant. Only one fix can stay, so an alternative fix is discarded. */
export function solutionsOf(gate: Notification, isFix: boolean): Map<string, Solution> {
  const solutions = new Map<string, Solution>();
  for (const { id, options } of gate.questions) {
    const answer = options ? answerTo(gate, id) : '';
    if (answer === 'main' || answer === 'discard') solutions.set(id, answer);
    if (answer === 'alternative') solutions.set(id, isFix ? 'discard' : answer);
  }
  return solutions;
}

/** The decision about this variant; undefined if there is none. */
export function solutionOf(gates: Notification[], at: PhaseTask): Solution | undefined {
  const decided = gates.findLast(({ gate, outcome }) => gate?.kind === 'variants' && outcome === 'answered');
  return decided && at.variant ? solutionsOf(decided, isDebug(at.front)).get(at.variant) : undefined;
}

/** The reason for the decision about a variant: the remark on it, or else the remark on all of them. */
export function reasonOf(gate: Notification, variant: string): string {
  const response = gate.responses.find(({ questionId }) => questionId === variant);
  const own = response?.kind === 'answered' ? response.note : undefined;
  return own ?? answerTo(gate, 'reason');
}
