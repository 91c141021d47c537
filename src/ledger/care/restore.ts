import { copyFileSync, createReadStream, existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { makeWholeFile } from '../../files/whole-file.ts';
import { flushFolder, makeFolder } from '../../files/write-at-once.ts';
import { FermataError } from '../../schema/error.ts';
import { quickCheck } from '../engine/quick-check.ts';
import { openSqlite } from '../engine/sqlite.ts';
import type { Store } from '../engine/store.ts';
import { findFaults } from './find-faults.ts';
import { headOf, importLines } from './import-lines.ts';
import { beginningOf, isSqlite, lockAlone, missingOf, unreadable } from './ledger-file.ts';
import type { CareOptions } from './progress.ts';

export interface Restored {
  /** Where the ledger is that was there before. */
  kept?: string;
}

/**
 * Puts the ledger of a backup or an export at a place. A ledger that is there is kept under another name. Nothing changes
 * unless the new one is complete and sound.
 */
export async function restoreTo(place: string, file: string, options: CareOptions = {}): Promise<Restored> {
  const kind = kindOf(file);
  makeFolder(dirname(place));
  const ready = `${place}.restored`;
  rmSync(ready, { force: true }); // of a restore that was killed
  await makeWholeFile(ready, async (temporary) => {
    await fill(temporary, file, kind, options);
    emptyLog(temporary);
  });
  try {
    return replace(place, ready);
  } finally {
    rmSync(ready, { force: true });
  }
}

/** Imports an export into a store that has no rows. */
export const importFrom = (store: Store, file: string, options?: CareOptions) =>
  importLines(store, bytesOf(file), file, options);

/** Opens the file only when somebody reads. */
async function* bytesOf(file: string): AsyncGenerator<Uint8Array, void> {
  try {
    yield* createReadStream(file);
  } catch (error) {
    throw unreadable(file, error);
  }
}

async function fill(path: string, file: string, kind: Kind, options: CareOptions): Promise<void> {
  if (kind === 'file') {
    copyFileSync(file, path);
    if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${path}-wal`);
    await requireSoundFile(path, file, options.signal);
  }
  const store = await openSqlite(path);
  try {
    if (kind === 'export') await importFrom(store, file, options);
    else await requireNoFaults(store, file);
  } finally {
    await store.close();
  }
}

/** Only the file itself is moved into place, and the driver may still have the connections of the store. */
function emptyLog(path: string): void {
  const connection = new DatabaseSync(path);
  try {
    connection.exec('pragma wal_checkpoint(truncate)');
  } finally {
    connection.close();
  }
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0)
    throw new FermataError('busy', `Another program uses ${path}. Nothing was changed; try again.`);
}

type Kind = 'file' | 'export';

/** Whether a file is a copy of a ledger or an export. Refuses others, newer ones, and those that are cut off. */
function kindOf(file: string): Kind {
  const beginning = beginningOf(file);
  if (isSqlite(beginning)) {
    // With a log, as in a plain copy of a ledger in use, the file alone need not be complete.
    const missing = existsSync(`${file}-wal`) ? undefined : missingOf(file, beginning);
    if (missing !== undefined) throw unusable(file, missing);
    return 'file';
  }
  const [first = ''] = beginning.toString('utf8').split('\n', 1);
  headOf(first, file);
  return 'export';
}

async function requireSoundFile(path: string, file: string, signal: AbortSignal | undefined): Promise<void> {
  const [damage] = await quickCheck(path, signal);
  if (damage !== undefined) throw unusable(file, damage);
}

async function requireNoFaults(store: Store, file: string): Promise<void> {
  const [fault] = await store.snapshot(findFaults);
  if (fault !== undefined) throw unusable(file, fault);
}

const unusable = (file: string, why: string) =>
  new FermataError(
    'damaged',
    `${file} is not a complete backup (${why.replace(/\.$/, '')}). Nothing was changed; use another one.`,
  );

/** Nobody may have the old ledger open, because what they write to it from then on would be lost. */
function replace(place: string, ready: string): Restored {
  if (!existsSync(place)) {
    renameSync(ready, place);
    flushFolder(dirname(place));
    return {};
  }
  const kept = `${place}.before-${new Date().toISOString().replace(/[:.]/g, '-')}`;
  const lock = lockAlone(place);
  try {
    linkSync(place, kept);
    // SQLite would apply a log that is left there to the new file.
    if (existsSync(`${place}-wal`)) renameSync(`${place}-wal`, `${kept}-wal`);
    rmSync(`${place}-shm`, { force: true });
    renameSync(ready, place);
    flushFolder(dirname(place));
    return { kept };
  } finally {
    lock?.close();
  }
}
