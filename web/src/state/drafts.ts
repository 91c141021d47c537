import { signal } from '@preact/signals';
import type { Draft, Entry } from '../inbox/draft.ts';

/** Its number changes with the shape of a draft. */
const KEY = 'fermata.drafts.2';

/** By notification id. Kept over a reload, in this tab only. */
const drafts = signal<Readonly<Record<string, Draft>>>(stored());

export const draftOf = (notificationId: string): Draft => drafts.value[notificationId] ?? {};

export function setEntry(notificationId: string, questionId: string, entry: Entry): void {
  const draft = { ...drafts.peek()[notificationId], [questionId]: entry };
  keep({ ...drafts.peek(), [notificationId]: draft });
}

export function dropDraft(notificationId: string): void {
  const { [notificationId]: _, ...rest } = drafts.peek();
  keep(rest);
}

/** Who signs in next may be somebody else. */
export const dropDrafts = (): void => keep({});

function keep(next: Readonly<Record<string, Draft>>): void {
  drafts.value = next;
  sessionStorage.setItem(KEY, JSON.stringify(next));
}

function stored(): Readonly<Record<string, Draft>> {
  return JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Record<string, Draft>;
}
