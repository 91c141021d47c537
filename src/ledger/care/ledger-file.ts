import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { FermataError } from '../../schema/error.ts';
import { supported } from '../engine/migrations.ts';
import { isDamage } from '../engine/quick-check.ts';
import { APPLICATION_ID } from '../engine/sqlite.ts';
import { storeError } from '../engine/store-error.ts';

/** What SQLite writes at the beginning of a file, and where it has what we look at. */
const header = {
  magic: 'SQLite format 3\0',
  pageSize: 16,
  pages: 28,
  version: 60,
  applicationId: 68,
  bytes: 100,
};

/** How much of a file is read to see what it is. */
const BEGINNING = 64 * 1024;

export function beginningOf(file: string): Buffer {
  try {
    const opened = openSync(file, 'r');
    try {
      const buffer = Buffer.alloc(BEGINNING);
      return buffer.subarray(0, readSync(opened, buffer, 0, BEGINNING, 0));
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    throw unreadable(file, error);
  }
}

export const unreadable = (file: string, cause: unknown) =>
  new FermataError('invalid', `${file} cannot be read: ${(cause as Error).message}.`, { cause });

export const isSqlite = (beginning: Buffer) =>
  beginning.toString('latin1', 0, header.magic.length) === header.magic;

/** Refuses a SQLite file that is not a ledger, or a newer one; returns why it is not complete, if it is cut off. */
export function missingOf(file: string, beginning: Buffer): string | undefined {
  const isOurs =
    beginning.length >= header.bytes && beginning.readUInt32BE(header.applicationId) === APPLICATION_ID;
  if (!isOurs) return 'Fermata did not write it';
  supported(beginning.readUInt32BE(header.version), isOurs, file);
  const pageSize = beginning.readUInt16BE(header.pageSize);
  const bytes = (pageSize === 1 ? 65_536 : pageSize) * beginning.readUInt32BE(header.pages);
  const { size } = statSync(file);
  return size < bytes ? `it has only ${size} of ${bytes} bytes` : undefined;
}

/**
 * Locks a ledger's file until the connection is closed; refuses if another program has it open. Undefined if it is so damaged
 * that it cannot be locked; then nobody else can use it either.
 */
export function lockAlone(path: string) {
  const lock = new DatabaseSync(path);
  try {
    // Leaving the mode in which a file is shared is possible only for its one user, and moves its log into it.
    lock.exec('pragma journal_mode = delete; begin exclusive');
    return lock;
  } catch (cause) {
    lock.close();
    if (isDamage(cause)) return undefined;
    const error = storeError(cause, path);
    if (!(error instanceof FermataError) || error.code !== 'busy') throw error;
    throw new FermataError(
      'busy',
      `Another program uses the ledger at ${path}. Nothing was changed; stop hubs, workers and runs, then try again.`,
      { cause },
    );
  }
}
