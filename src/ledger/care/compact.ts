import { statSync } from 'node:fs';
import { FermataError } from '../../schema/error.ts';
import { storeError } from '../engine/store-error.ts';
import { beginningOf, lockAlone, missingOf } from './ledger-file.ts';

export interface Compacted {
  bytesBefore: number;
  bytesAfter: number;
}

/** Gives the space of removed rows back to the disk. Nobody else may use the file meanwhile. */
export function compact(path: string): Compacted {
  const bytesBefore = statSync(path).size;
  const connection = lockAlone(path); // what is in the log is now in the file
  try {
    if (!connection || missingOf(path, beginningOf(path)) !== undefined) {
      throw new FermataError(
        'damaged',
        `The file at ${path} is not a ledger, or is damaged. Nothing was changed; restore a backup.`,
      );
    }
    connection.exec('rollback; vacuum');
  } catch (error) {
    throw storeError(error, path);
  } finally {
    connection?.close();
  }
  return { bytesBefore, bytesAfter: statSync(path).size };
}
