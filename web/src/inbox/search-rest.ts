import { signal } from '@preact/signals';
import { more } from '../state/ledger.ts';
import { readMatching } from '../state/reading.ts';
import { leftOut } from '../state/session.ts';
import { filter, isFiltering, kindNamed } from './filter.ts';

/** Waits for a pause in typing. */
const PAUSE_MS = 250;

/** Whether the hub is searching what is not loaded. */
export const searching = signal(false);

/** An effect: if not everything is loaded, the hub searches the rest with the filter. */
export function searchRest(): (() => void) | undefined {
  const { text, project, kind } = filter.value;
  const isNeeded = isFiltering.value && more.value;
  searching.value = isNeeded;
  if (!isNeeded) return undefined;
  let isWanted = true;
  const timer = setTimeout(async () => {
    try {
      await readMatching({ text: text.trim(), project, kind: kindNamed(kind) ?? '' }, () => isWanted);
    } catch (error) {
      // The list shows what is loaded.
      leftOut(error);
    }
    if (isWanted) searching.value = false;
  }, PAUSE_MS);
  return () => {
    isWanted = false;
    clearTimeout(timer);
  };
}
