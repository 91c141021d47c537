import { describe, it } from 'vitest';
import { openLedger } from '../../../src/ledger/ledger.ts';
import { postgresMissing } from '../../support/fresh-database.ts';
import { freshFile } from './fresh-file.ts';
import { freshServer } from './fresh-server.ts';
import { type TestStore, testStore } from './test-store.ts';

/** Runs one suite on every store. Each has a store of its own for the file; each test should use a new project. */
export function eachStore(suite: (store: TestStore) => void): void {
  describe('on SQLite', () => suite(testStore('SQLite', freshFile, openLedger)));
  describe('on PostgreSQL', () => {
    if (postgresMissing === undefined) suite(testStore('PostgreSQL', freshServer, openLedger));
    else it('is not tested here', ({ skip }) => skip(postgresMissing));
  });
}
