import { signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Notification } from '../../../src/schema/notification.ts';
import type { Question } from '../../../src/schema/question.ts';

const wanted = signal<string | undefined>(undefined);

/** The field for own words, or the one for the blank of an option. */
export const fieldOf = ({ id }: Notification, question: Question, blank = ''): string =>
  JSON.stringify([id, question.id, blank]);

/** Puts the cursor into a field, also where that comes only with the next paint. */
export function wantFocus(field: string): void {
  wanted.value = field;
}

/** For the field: takes the cursor when it is wanted there. */
export function useWantedFocus<T extends HTMLElement>(field: string): RefObject<T | null> {
  const ref = useRef<T>(null);
  const isWanted = wanted.value === field;
  useEffect(() => {
    if (!isWanted) return;
    ref.current?.focus();
    wanted.value = undefined;
  }, [isWanted]);
  return ref;
}
