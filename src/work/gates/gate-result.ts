import type { Notification } from '../../schema/notification.ts';
import { isDebug } from '../phases/front-matter.ts';
import type { PhaseTask } from '../phases/phase-task.ts';

export type Solution = 'main' | 'alternative' | 'discard';

/** What a person answered to one question of a gate; empty where it was skipped. */
export function answerTo({ responses }: Notification, questionId: string): string {
  const response = responses.find((each) => each.questionId === questionId);
  return response?.kind === 'answered' ? [response.answer].flat().join(', ') : '';
}

/** `{thoughts, passed, refinements?, user_required_changes?, logs?}`; the two names of the changes are those of two protocols. */
export function testingResult(gate: Notification): object {
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

/** What was decided about each variant. Of a fix only one can stay, so an alternative one is discarded. */
export function solutionsOf(gate: Notification, isFix: boolean): Map<string, Solution> {
  const solutions = new Map<string, Solution>();
  for (const { id, options } of gate.questions) {
    const answer = options ? answerTo(gate, id) : '';
    if (answer === 'main' || answer === 'discard') solutions.set(id, answer);
    if (answer === 'alternative') solutions.set(id, isFix ? 'discard' : answer);
  }
  return solutions;
}

/** What was decided about this variant; undefined where nothing was. */
export function solutionOf(gates: Notification[], at: PhaseTask): Solution | undefined {
  const decided = gates.findLast(({ gate, outcome }) => gate?.kind === 'variants' && outcome === 'answered');
  return decided && at.variant ? solutionsOf(decided, isDebug(at.front)).get(at.variant) : undefined;
}

/** Why a variant was decided about as it was: what was said with it, else what was said about all of them. */
export function reasonOf(gate: Notification, variant: string): string {
  const response = gate.responses.find(({ questionId }) => questionId === variant);
  const own = response?.kind === 'answered' ? response.note : undefined;
  return own ?? answerTo(gate, 'reason');
}
