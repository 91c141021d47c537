import { signal } from '@preact/signals';
import type { Notification } from '../../../src/schema/notification.ts';
import type { Question } from '../../../src/schema/question.ts';
import { decisionProblem } from '../gates/decision-problem.ts';
import { draftOf, setEntry } from '../state/drafts.ts';
import { held, hold, release, send, takeBack } from '../state/sending.ts';
import {
  type Entry,
  entryOf,
  isFilled,
  isOneKey,
  isOptional,
  maySkip,
  pick,
  responsesOf,
  unsettled,
} from './draft.ts';

/** The question that somebody is at. */
const at = signal<{ notification: string; question: string } | undefined>(undefined);

export function setActive({ id }: Notification, question: Question): void {
  at.value = { notification: id, question: question.id };
}

/** The question that the keys answer: the one that somebody is at, else the first that has no answer yet. */
export function activeQuestion(notification: Notification): Question | undefined {
  const left = unsettled(notification);
  const chosen = at.value?.notification === notification.id ? at.value.question : undefined;
  return left.find(({ id }) => id === chosen) ?? unanswered(notification)[0] ?? left[0];
}

/** The number keys: picks, and where that is the whole answer, sends it after a moment. */
export function pickNumber(notification: Notification, number: number): void {
  const question = activeQuestion(notification);
  const option = question?.options?.[number - 1];
  if (!question || !option) return;
  const entry = pick(entryOf(draftOf(notification.id), question), question, option.label);
  setEntry(notification.id, question.id, entry);
  if (isOneKey(notification)) holdPick(notification, question, entry);
  else setActive(notification, question.multi ? question : (unanswered(notification)[0] ?? question));
}

/** Sends a pick that is the whole answer, after a moment; a pick that was taken back is not sent. */
export function holdPick(notification: Notification, question: Question, entry: Entry): void {
  if (entry.picks.length === 0) {
    takeBack();
    return;
  }
  hold(
    notification,
    { responses: responsesOf(notification, { [question.id]: entry }) },
    entry.picks.join(', '),
  );
}

/** Enter: goes to the next question that has no answer yet; after the last one, sends. */
export function goOn(notification: Notification): void {
  const [next] = unanswered(notification);
  if (!next || isHeld(notification)) {
    sendNow(notification);
    return;
  }
  setActive(notification, next);
  if ((next.options ?? []).length > 0) return;
  document.querySelector<HTMLElement>(`[data-question="${CSS.escape(next.id)}"] textarea`)?.focus();
}

/** Sends what is filled in, or at once what is held. */
export function sendNow(notification: Notification): void {
  if (isHeld(notification)) {
    release();
    return;
  }
  const draft = draftOf(notification.id);
  const responses = responsesOf(notification, draft);
  if (responses.length === 0 || decisionProblem(notification, draft) !== undefined) return;
  void send(notification, { responses });
}

/** Leaves the question that somebody is at to the asker; where it is the only one, that is sent after a moment. */
export function skip(notification: Notification): void {
  const question = activeQuestion(notification);
  if (!question || !maySkip(notification)) return;
  if (unsettled(notification).length === 1) {
    hold(
      notification,
      { responses: [{ questionId: question.id, skipped: true }] },
      'Skip: the asker decides',
    );
    return;
  }
  setEntry(notification.id, question.id, { ...entryOf({}, question), skipped: true });
  setActive(notification, unanswered(notification)[0] ?? question);
}

function unanswered(notification: Notification): Question[] {
  const draft = draftOf(notification.id);
  return unsettled(notification).filter(
    (question) => !isOptional(notification, question) && !isFilled(entryOf(draft, question)),
  );
}

const isHeld = ({ id }: Notification): boolean => held.peek()?.notification.id === id;
