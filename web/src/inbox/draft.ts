import type { Notification, ResponseInput } from '../../../src/schema/notification.ts';
import type { Question } from '../../../src/schema/question.ts';

/** What a person has filled in for one question and not sent yet. */
export interface Entry {
  /** Labels of options. */
  picks: readonly string[];
  /** In their own words. */
  text: string;
  note: string;
  skipped: boolean;
}

/** By question id. */
export type Draft = Readonly<Record<string, Entry>>;

const blank: Entry = { picks: [], text: '', note: '', skipped: false };

export const entryOf = (draft: Draft, { id }: Question): Entry => draft[id] ?? blank;

/** Picks an option, or takes the pick back. One answer only: picking another one, or own words, replaces it. */
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

export function isFilled({ picks, text, skipped }: Entry): boolean {
  return skipped || picks.length > 0 || text.trim() !== '';
}

/** The questions that nobody has answered, skipped or dismissed yet. */
export function unsettled({ questions, responses }: Notification): Question[] {
  return questions.filter(({ id }) => !responses.some((response) => response.questionId === id));
}

/** Of a gate and an approval only the options are answers. */
export function isDecisive({ source }: Notification, { options }: Question): boolean {
  return (source === 'gate' || source === 'approval') && (options ?? []).length > 0;
}

/** Without options, and of a gate: it may be left empty. */
export function isOptional({ gate }: Notification, { options }: Question): boolean {
  return gate !== undefined && (options ?? []).length === 0;
}

/** One question with one pick: a single key is the whole answer. */
export function isOneKey(notification: Notification): boolean {
  const [only, ...others] = unsettled(notification);
  return others.length === 0 && (only?.options ?? []).length > 0 && !only?.multi;
}

export function maySkip(notification: Notification): boolean {
  return !unsettled(notification).some((question) => isDecisive(notification, question));
}

/** What would be sent now. What may be left empty is sent as skipped, but only together with the rest. */
export function responsesOf(notification: Notification, draft: Draft): ResponseInput[] {
  const left = unsettled(notification);
  const filled = left.flatMap((question) => responseOf(question, entryOf(draft, question)) ?? []);
  const missing = left.filter((question) => !isFilled(entryOf(draft, question)));
  if (filled.length === 0 || missing.some((question) => !isOptional(notification, question))) return filled;
  return [...filled, ...missing.map(({ id }) => ({ questionId: id, skipped: true as const }))];
}

function responseOf(question: Question, entry: Entry): ResponseInput | undefined {
  if (entry.skipped) return { questionId: question.id, skipped: true };
  const own = entry.text.trim();
  const values = own === '' ? [...entry.picks] : [...entry.picks, own];
  const [first] = values;
  if (first === undefined) return undefined;
  const note = entry.note.trim() === '' ? {} : { note: entry.note.trim() };
  return { questionId: question.id, answer: question.multi ? values : first, ...note };
}
