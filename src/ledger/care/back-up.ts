import { statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { backup, DatabaseSync } from '@photostructure/sqlite';
import { makeWholeFile } from '../../files/whole-file.ts';
import { cmd } from '../../schema/command-line.ts';
import { FermataError } from '../../schema/error.ts';
import { isDamage, quickCheck } from '../engine/quick-check.ts';
import type { Store } from '../engine/store.ts';
import { storeError } from '../engine/store-error.ts';
import { exportLines } from './export-lines.ts';
import type { CareOptions } from './progress.ts';

/** How many pages are copied before other work gets its turn. */
const PAGES = 500;

export interface BackedUp {
  /** A copy of the file, or from PostgreSQL an export. */
  kind: 'file' | 'export';
  bytes: number;
}

/** Makes a file from which the ledger can be restored as it was at one moment, while others keep writing. */
export async function backUp(store: Store, file: string, options: CareOptions = {}): Promise<BackedUp> {
  if (store.dialect === 'postgres') {
    await exportTo(store, file, options);
    return { kind: 'export', bytes: statSync(file).size };
  }
  await makeWholeFile(file, async (temporary) => {
    await copyLedger(store.place, temporary, options);
    const [damage] = await quickCheck(temporary, options.signal);
    if (damage === undefined) return;
    throw new FermataError(
      'damaged',
      `The ledger at ${store.place} is damaged (${damage}), so no backup was made. Restore an earlier one: ${cmd`ledger restore FILE`}`,
    );
  });
  return { kind: 'file', bytes: statSync(file).size };
}

/** Writes an export to a new file; returns how many rows it has. */
export function exportTo(store: Store, file: string, options: CareOptions = {}): Promise<number> {
  return makeWholeFile(file, async (temporary) => {
    const handle = await open(temporary, 'a');
    try {
      return await exportLines(store, (lines) => handle.appendFile(`${lines.join('\n')}\n`), options);
    } catch (error) {
      throw storeError(error, file);
    } finally {
      await handle.close();
    }
  });
}

/** The open read transaction keeps the copy at one moment; otherwise each write of another process would start it again. */
async function copyLedger(from: string, to: string, { signal, onProgress }: CareOptions): Promise<void> {
  const source = new DatabaseSync(from);
  try {
    source.exec('pragma busy_timeout = 2000; pragma query_only = on; begin; select 1 from projects limit 1');
    await backup(source, to, {
      rate: PAGES,
      progress({ totalPages, remainingPages }) {
        signal?.throwIfAborted();
        onProgress?.(totalPages - remainingPages, totalPages);
      },
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw storeError(error, isDamage(error) ? from : to);
  } finally {
    source.close();
  }
}
