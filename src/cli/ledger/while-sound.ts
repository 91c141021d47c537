import { quickCheck } from '../../ledger/engine/quick-check.ts';
import { isServer } from '../../schema/address.ts';
import { cmd } from '../../schema/command-line.ts';
import { FermataError } from '../../schema/error.ts';
import { isInterruption } from '../exit.ts';
import { describeError, tell } from '../output.ts';

/**
 * Runs `work`, which uses the ledger for long, and reads the ledger's file once meanwhile. If that is damaged, ends `work`
 * with its signal and throws.
 */
export async function whileSound(
  place: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  if (isServer(place)) return work(signal);
  const found = new AbortController();
  const over = new AbortController();
  const check = quickCheck(place, AbortSignal.any([signal, over.signal])).then(
    ([damage]) => {
      if (damage !== undefined) found.abort(damagedLedger(place, damage));
    },
    (error: unknown) => {
      if (!isInterruption(error)) tell(`The ledger could not be checked: ${describeError(error, false)}`);
    },
  );
  try {
    await work(AbortSignal.any([signal, found.signal]));
  } finally {
    over.abort();
    await check;
  }
  if (found.signal.aborted) throw found.signal.reason;
}

const damagedLedger = (place: string, damage: string) =>
  new FermataError(
    'damaged',
    `The ledger at ${place} is damaged (${damage}). Stop everything that uses it, then restore a backup: ${cmd`ledger restore FILE`}`,
  );
