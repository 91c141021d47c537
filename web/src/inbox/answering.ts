import type { Notification } from '../../../src/schema/notification.ts';
import type { Question } from '../../../src/schema/question.ts';
import { decisionProblem } from '../gates/decision-problem.ts';
import { draftOf, setEntry } from '../state/drafts.ts';
import { held, hold, release, send } from '../state/sending.ts';
import { entryOf, isFilled, maySkip, pick, responsesOf, unsettled } from './draft.ts';

/** One question with one pick: a single key is the whole answer. */
export function isOneKey(notification: Notification): boolean {
  const [only, ...others] = unsettled(notification);
  return others.length === 0 && only?.options !== undefined && only.options.length > 0 && !only.multi;
}

/** The first question that has no answer yet; with all filled in, the first. */
export function activeQuestion(notification: Notification): Question | undefined {
  const draft = draftOf(notification.id);
  const left = unsettled(notification);
  return left.find((question) => question.options && !isFilled(entryOf(draft, question))) ?? left[0];
}

/** The number keys: picks, and where that is the whole answer, sends it after a moment. */
export function pickNumber(notification: Notification, number: number): void {
  const question = activeQuestion(notification);
  const option = question?.options?.[number - 1];
  if (!question || !option) return;
  const entry = pick(entryOf(draftOf(notification.id), question), question, option.label);
  setEntry(notification.id, question.id, entry);
  if (isOneKey(notification) && entry.picks.length > 0) {
    hold(notification, { responses: responsesOf(notification, { [question.id]: entry }) }, option.label);
  }
}

/** Enter: sends what is filled in, or at once what is held. */
export function answerNow(notification: Notification): void {
  if (held.peek()?.notification.id === notification.id) {
    release();
    return;
  }
  const draft = draftOf(notification.id);
  const responses = responsesOf(notification, draft);
  if (responses.length === 0 || decisionProblem(notification, draft) !== undefined) return;
  void send(notification, { responses });
}

/** Leaves to the asker whatever has no answer yet, after a moment. */
export function skipRest(notification: Notification): void {
  if (!maySkip(notification)) return;
  const responses = unsettled(notification).map(({ id }) => ({ questionId: id, skipped: true as const }));
  hold(notification, { responses }, 'Skip: the asker decides');
}
