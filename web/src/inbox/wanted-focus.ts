import { signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Notification } from '../../../src/schema/notification.ts';
import type { Question } from '../../../src/schema/question.ts';

const wanted = signal<string | undefined>(undefined);

/** The field for free text, or for the blank of an option. */
export const fieldOf = ({ id }: Notification, question: Question, blank = ''): string =>
  JSON.stringify([id, question.id, blank]);

/** Focuses a field: at once, because the next keystroke may follow, or as soon as the field exists. */
export function wantFocus(field: string): void {
  const there = document.querySelector<HTMLElement>(`[data-field="${CSS.escape(field)}"]`);
  if (there) there.focus();
  else wanted.value = field;
}

/** For a field with its name in `data-field`: takes the focus when it is requested. */
export function useWantedFocus<T extends HTMLElement>(field: string): RefObject<T | null> {
  const ref = useRef<T>(null);
  const isWanted = wanted.value === field;
  useLayoutEffect(() => {
    if (!isWanted) return;
    ref.current?.focus();
    wanted.value = undefined;
  }, [isWanted]);
  return ref;
}
