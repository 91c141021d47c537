import { describe, it } from 'vitest';
import { openLedger } from '../../../src/ledger/ledger.ts';
import { postgresMissing } from '../../support/fresh-database.ts';
import { isLong } from '../../support/long.ts';
import { freshFile } from './fresh-file.ts';
import { emptyServer, sharedServer } from './fresh-server.ts';
import { type TestStore, testStore } from './test-store.ts';

/** Runs one suite on every store. Each has its own store for the file; each test should use a new project. */
export function eachStore(suite: (store: TestStore) => void): void {
  onSqlite(suite);
  onPostgres(suite);
}

/** For what is only true of a ledger that a team shares. */
export function onPostgres(suite: (store: TestStore) => void): void {
  describe('on PostgreSQL', () => {
    // The long tests load each file anew, so a database cannot be passed on to the next one. There, everybody has a role of
    // their own.
    const make = isLong ? sharedServer : emptyServer;
    if (postgresMissing === undefined) suite(testStore('PostgreSQL', make, openLedger));
    else it('is not tested here', ({ skip }) => skip(postgresMissing));
  });
}

/** For suites above the ledger, whose own suites run on every store: on SQLite in `npm test`, on each in `test:long`. */
export const eachStoreInLong = isLong ? eachStore : onSqlite;

export function onSqlite(suite: (store: TestStore) => void): void {
  describe('on SQLite', () => suite(testStore('SQLite', freshFile, openLedger)));
}
