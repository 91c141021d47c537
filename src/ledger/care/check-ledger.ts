import { quickCheck } from '../engine/quick-check.ts';
import type { Store } from '../engine/store.ts';
import { findFaults } from './find-faults.ts';

/** Everything that is wrong with a ledger, each in a sentence; it only reads. */
export async function checkLedger(store: Store, signal?: AbortSignal): Promise<string[]> {
  if (store.dialect === 'sqlite') {
    const damage = await quickCheck(store.place, signal);
    // Reading on would fail at the same places.
    if (damage.length > 0) return damage.map((line) => `The file is damaged: ${line}.`);
  }
  return store.snapshot(findFaults);
}
