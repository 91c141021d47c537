import type { Draft, Entry } from '../inbox/draft.ts';
import { kept } from './kept.ts';

/** By notification id. The number changes with the shape of a draft. */
const drafts = kept<Draft>('fermata.drafts.2');

export const draftOf = (notificationId: string): Draft => drafts.value[notificationId] ?? {};

export function setEntry(notificationId: string, questionId: string, entry: Entry): void {
  const draft = { ...drafts.peek()[notificationId], [questionId]: entry };
  drafts.value = { ...drafts.peek(), [notificationId]: draft };
}

export function dropDraft(notificationId: string): void {
  const { [notificationId]: _, ...rest } = drafts.peek();
  drafts.value = rest;
}

/** The next person to sign in may be somebody else. */
export function dropDrafts(): void {
  drafts.value = {};
}
