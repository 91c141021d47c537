import { signal } from '@preact/signals';
import { more } from '../state/ledger.ts';
import { readMatching } from '../state/reading.ts';
import { leftOut } from '../state/session.ts';
import { filter, isFiltering, kindNamed } from './filter.ts';

/** Who types is not done. */
const PAUSE_MS = 250;

/** What is not loaded is being searched. */
export const searching = signal(false);

/** An effect: where not everything is loaded, the hub finds what the filter asks for among the rest. */
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
      // The list has what is loaded.
      leftOut(error);
    }
    if (isWanted) searching.value = false;
  }, PAUSE_MS);
  return () => {
    isWanted = false;
    clearTimeout(timer);
  };
}
