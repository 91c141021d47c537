import { signal } from '@preact/signals';
import type { Notification } from '../../../src/schema/notification.ts';
import type { Question } from '../../../src/schema/question.ts';
import { decisionProblem } from '../gates/decision-problem.ts';
import { wordsAfter } from '../gates/words-after.ts';
import { draftOf, setEntry } from '../state/drafts.ts';
import { hold, isHeld, release, send, undoOf } from '../state/sending.ts';
import {
  blankLeft,
  type Entry,
  entryOf,
  isFilled,
  isOneKey,
  maySkip,
  pick,
  required,
  responsesOf,
  unsettled,
  valuesOf,
  write,
} from './draft.ts';
import { fieldOf, wantFocus } from './wanted-focus.ts';

/** The question with the focus. */
const at = signal<{ notification: string; question: string } | undefined>(undefined);

export function setActive({ id }: Notification, question: Question): void {
  at.value = { notification: id, question: question.id };
}

/** The question that the keys answer: the one with the focus, else the first without an answer. */
export function activeQuestion(notification: Notification): Question | undefined {
  const left = unsettled(notification);
  const chosen = at.value?.notification === notification.id ? at.value.question : undefined;
  return left.find(({ id }) => id === chosen) ?? unanswered(notification)[0] ?? left[0];
}

export function pickNumber(notification: Notification, number: number): void {
  const question = activeQuestion(notification);
  const option = question?.options?.[number - 1];
  if (question && option) pickOption(notification, question, option.label);
}

/**
 * Picks an option, or undoes the pick. If that completes the answer, it is sent after a moment; else the next field gets
 * the focus.
 */
export function pickOption(notification: Notification, question: Question, label: string): void {
  const entry = pick(entryOf(draftOf(notification.id), question), question, label);
  changeEntry(notification, question, entry);
  const isPicked = entry.picks.includes(label);
  const blank = isPicked ? blankLeft(entry) : undefined;
  const words = isPicked ? wordsAfter(notification, label) : undefined;
  if (blank !== undefined) wantFocus(fieldOf(notification, question, blank));
  else if (words) wantFocus(fieldOf(notification, words));
  else if (isOneKey(notification)) holdPick(notification, entry);
  else setActive(notification, question.multi ? question : (unanswered(notification)[0] ?? question));
}

/** Typing cancels the automatic sending, because the person is not done. */
export function changeEntry(notification: Notification, question: Question, entry: Entry): void {
  undoOf(notification.id);
  setEntry(notification.id, question.id, entry);
}

function holdPick(notification: Notification, entry: Entry): void {
  if (entry.picks.length === 0) return;
  const responses = responsesOf(notification, draftOf(notification.id));
  hold(notification, { responses }, valuesOf(entry).join(', '));
}

/** Enter: goes to the next question without an answer; after the last one, sends. */
export function advance(notification: Notification): void {
  const [next] = unanswered(notification);
  if (!next || isHeld(notification.id)) {
    sendNow(notification);
    return;
  }
  setActive(notification, next);
  const blank = blankLeft(entryOf(draftOf(notification.id), next));
  if (blank !== undefined || (next.options ?? []).length === 0) wantFocus(fieldOf(notification, next, blank));
}

/** Sends what is filled in; a held answer at once. */
export function sendNow(notification: Notification): void {
  if (isHeld(notification.id)) {
    release();
    return;
  }
  const draft = draftOf(notification.id);
  const responses = responsesOf(notification, draft);
  if (responses.length === 0 || decisionProblem(notification, draft) !== undefined) return;
  void send(notification, { responses });
}

/** Skips the current question; if it is the only one, that is sent after a moment. */
export function skip(notification: Notification): void {
  const question = activeQuestion(notification);
  if (!question || !maySkip(notification)) return;
  const entry = { ...entryOf(draftOf(notification.id), question), picks: [], skipped: true };
  if (unsettled(notification).length === 1) {
    changeEntry(notification, question, entry);
    hold(
      notification,
      { responses: [{ questionId: question.id, skipped: true }] },
      'Skip: the asker decides',
    );
    return;
  }
  setEntry(notification.id, question.id, entry);
  setActive(notification, unanswered(notification)[0] ?? question);
}

/** Gives the earlier decision again; if nothing else is asked, that is sent after a moment. */
export function answerAsBefore(notification: Notification, question: Question): void {
  const { id, earlier, options = [] } = question;
  if (!earlier) return;
  const { answer } = earlier;
  const blank: Entry = { ...entryOf(draftOf(notification.id), question), picks: [], text: '' };
  const entry = [answer]
    .flat()
    .reduce(
      (so, words) =>
        options.some(({ label }) => label === words) ? pick(so, question, words) : write(so, question, words),
      blank,
    );
  changeEntry(notification, question, entry);
  if (unsettled(notification).length > 1) setActive(notification, unanswered(notification)[0] ?? question);
  else hold(notification, { responses: [{ questionId: id, answer }] }, [answer].flat().join(', '));
}

function unanswered(notification: Notification): Question[] {
  const draft = draftOf(notification.id);
  return required(notification).filter((question) => !isFilled(entryOf(draft, question)));
}
