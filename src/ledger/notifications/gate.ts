import { FermataError } from '../../schema/error.ts';
import type { HumanGate } from '../../schema/gate.ts';
import { isDecisive } from '../../schema/is-question.ts';
import type { Notification, ResponseInput } from '../../schema/notification.ts';
import type { Question } from '../../schema/question.ts';

/**
 * An open gate after it was asked again: the newest material, but the original contents, because a person may already
 * have looked at those.
 */
export function refreshedGate(open: HumanGate, asked: HumanGate): HumanGate {
  const contents = { ...asked.contents, ...open.contents };
  return { ...asked, ...(asked.contents || open.contents ? { contents } : {}) };
}

/**
 * Refuses what is invalid only at a human gate: an answer that is not one of the options, or not exactly one main
 * variant. The gate can still be dismissed as a whole.
 */
export function refuseWrongDecision(current: Notification, given: ResponseInput[]): void {
  const { gate } = current;
  if (!gate) return;
  const decisive = current.questions.filter((question) => isDecisive(current, question));
  for (const question of decisive) {
    const response = given.find(({ questionId }) => questionId === question.id);
    if (response) refuseUndecided(question, response);
  }
  if (gate.kind === 'variants') refuseNotOneMain(current, decisive, given);
}

function refuseUndecided(question: Question, response: ResponseInput): void {
  const labels = (question.options ?? []).map(({ label }) => label);
  const answer = 'answer' in response ? response.answer : undefined;
  if (typeof answer === 'string' && labels.includes(answer)) return;
  const said =
    answer === undefined ? 'It cannot be skipped' : `"${String(answer).slice(0, 100)}" is not a valid answer`;
  throw new FermataError('invalid', `${question.id}: ${said}. Answer with ${labels.join(' or ')}.`, {
    details: { type: 'undecided', question: question.id, options: labels },
  });
}

function refuseNotOneMain(current: Notification, variants: Question[], given: ResponseInput[]): void {
  const decided = new Map<string, unknown>();
  for (const each of [...given, ...current.responses]) {
    if ('answer' in each) decided.set(each.questionId, each.answer);
  }
  const mains = variants.filter(({ id }) => decided.get(id) === 'main').map(({ id }) => id);
  const isComplete = variants.every(({ id }) => decided.has(id));
  if (mains.length === 1 || (mains.length === 0 && !isComplete)) return;
  const what = mains.length === 0 ? 'None of the variants is main' : `${mains.join(' and ')} are both main`;
  throw new FermataError(
    'invalid',
    `${what}: exactly one of ${variants.map(({ id }) => id).join(', ')} must be main.`,
    {
      details: { type: 'exactly_one_main', mains },
    },
  );
}
