import { endsInBlank, filledIn } from '../../../src/schema/blank.ts';
import { isDecisive, isQuestion } from '../../../src/schema/is-question.ts';
import type { Notification, ResponseInput } from '../../../src/schema/notification.ts';
import type { Question } from '../../../src/schema/question.ts';

/** A person's unsent input for one question. */
export interface Entry {
  /** Labels of options. */
  picks: readonly string[];
  /** The text for the blank of an option ("With these steps: …"), by its label. */
  blanks: Readonly<Record<string, string>>;
  /** Free text. */
  text: string;
  note: string;
  /** From now on the same question is answered like this automatically. */
  standing: boolean;
  skipped: boolean;
}

/** By question id. */
export type Draft = Readonly<Record<string, Entry>>;

const empty: Entry = { picks: [], blanks: {}, text: '', note: '', standing: false, skipped: false };

export const entryOf = (draft: Draft, { id }: Question): Entry => draft[id] ?? empty;

/** Picks an option, or undoes the pick. With a single answer, another pick or free text replaces it. */
export function pick(entry: Entry, question: Question, label: string): Entry {
  const rest = entry.picks.filter((picked) => picked !== label);
  const wasPicked = rest.length < entry.picks.length;
  if (question.multi) return { ...entry, skipped: false, picks: wasPicked ? rest : [...rest, label] };
  return { ...entry, skipped: false, text: '', picks: wasPicked ? [] : [label] };
}

export function write(entry: Entry, question: Question, text: string): Entry {
  const replaces = !question.multi && text.trim() !== '';
  return { ...entry, text, skipped: false, picks: replaces ? [] : entry.picks };
}

export function fillBlank(entry: Entry, label: string, text: string): Entry {
  return { ...entry, blanks: { ...entry.blanks, [label]: text } };
}

/** Picked, but its blank is still empty. */
export function blankLeft({ picks, blanks }: Entry): string | undefined {
  return picks.find((label) => endsInBlank(label) && (blanks[label] ?? '').trim() === '');
}

export function isFilled(entry: Entry): boolean {
  if (entry.skipped) return true;
  return blankLeft(entry) === undefined && valuesOf(entry).length > 0;
}

/** The answer: the picks, with their blanks filled in, and the free text. */
export function valuesOf({ picks, blanks, text }: Entry): string[] {
  const picked = picks.map((label) => (endsInBlank(label) ? filledIn(label, blanks[label] ?? '') : label));
  return text.trim() === '' ? picked : [...picked, text.trim()];
}

/** The questions that are not answered, skipped or dismissed yet. */
export function unsettled({ questions, responses }: Notification): Question[] {
  return questions.filter(({ id }) => !responses.some((response) => response.questionId === id));
}

/** A gate's question without options, which may be left empty. */
export function isOptional({ gate }: Notification, { options }: Question): boolean {
  return gate !== undefined && (options ?? []).length === 0;
}

/** The questions of a findings gate that are each about one approach, shown with its text. */
export function approachesOf(notification: Notification): Question[] {
  const titles = new Set(notification.gate?.material?.map(({ title }) => title));
  return unsettled(notification).filter(
    (question) => isOptional(notification, question) && titles.has(question.id),
  );
}

/** The open questions that may not be left empty. */
export function required(notification: Notification): Question[] {
  return unsettled(notification).filter((question) => !isOptional(notification, question));
}

/** One pick completes the answer, so a single key is enough. Optional questions do not count. */
export function isOneKey(notification: Notification): boolean {
  const [only, ...others] = required(notification);
  if (!only || others.length > 0 || notification.gate?.kind === 'variants') return false;
  if (approachesOf(notification).length > 0) return false;
  return (only.options ?? []).length > 0 && !only.multi;
}

/** An approval or a gate's answer does not apply to the next time. */
export function canBeStanding(notification: Notification): boolean {
  return isQuestion(notification);
}

export function maySkip(notification: Notification): boolean {
  return !unsettled(notification).some((question) => isDecisive(notification, question));
}

/** What would be sent now. Empty optional questions are sent as skipped, but only together with the rest. */
export function responsesOf(notification: Notification, draft: Draft): ResponseInput[] {
  const left = unsettled(notification);
  const filled = left.flatMap((question) => responseOf(question, entryOf(draft, question)) ?? []);
  const missing = left.filter((question) => !isFilled(entryOf(draft, question)));
  if (filled.length === 0 || missing.some((question) => !isOptional(notification, question))) return filled;
  return [...filled, ...missing.map(({ id }) => ({ questionId: id, skipped: true as const }))];
}

function responseOf(question: Question, entry: Entry): ResponseInput | undefined {
  if (!isFilled(entry)) return undefined;
  if (entry.skipped) return { questionId: question.id, skipped: true };
  const values = valuesOf(entry);
  const note = entry.note.trim() === '' ? {} : { note: entry.note.trim() };
  const standing = entry.standing ? { standing: true as const } : {};
  return {
    questionId: question.id,
    answer: question.multi ? values : (values[0] ?? ''),
    ...note,
    ...standing,
  };
}
