import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { checkLedger } from '../../../src/ledger/care/check-ledger.ts';
import { freshDatabase, postgresMissing } from '../../support/fresh-database.ts';
import { query } from '../support/role-places.ts';
import { fill, folder, openedStore } from './support/filled.ts';

/** What breaks each rule, and a word of the sentence about it. */
const faults: [string, string, string][] = [
  ['an event that is missing', 'delete from events where number = 2', 'Events of project p are missing'],
  [
    'a counter of events that is behind',
    'update projects set last_event = last_event - 1',
    'it counts up to',
  ],
  ['a wrong count of dependencies', "update tasks set unfinished = 0 where id = 'b'", 'Task b'],
  ['a task in an impossible state', "update tasks set status = 'closed' where id = 'a'", 'Task a'],
  [
    'a task that waits for no question',
    "update open_questions set task_id = null where task_id = 'c'",
    'no open question',
  ],
  [
    'a question that is settled without an outcome',
    "update open_questions set status = 'delivered' where status = 'open'",
    'is delivered',
  ],
  ['a run that ended at no time', "update runs set status = 'ended'", 'is ended'],
  ['a cursor beyond the last event', 'update notice_cursors set number = 999', 'up to event 999'],
];

describe('the check of a ledger', () => {
  it('OPS-1 finds nothing in a sound one, and says what is wrong with others', async () => {
    const store = await openedStore(join(folder(), 'ledger.db'));
    await fill(store);
    expect(await checkLedger(store)).toEqual([]);
    const connection = new DatabaseSync(store.place);
    const found = async (sql: string) => {
      connection.exec(`begin; ${sql}; commit`);
      return checkLedger(store);
    };
    connection.exec('pragma foreign_keys = off');
    for (const [, sql, fact] of faults) expect((await found(sql)).join()).toContain(fact);
    expect((await found("update events set data = 'x' where number = 1")).join()).toContain('not valid JSON');
    expect((await found("delete from projects where id = 'p'")).join()).toContain('does not exist');
    connection.close();
  });

  it.skipIf(postgresMissing !== undefined)('OPS-1 finds the same on PostgreSQL', async () => {
    const place = await freshDatabase();
    const store = await openedStore(place);
    await fill(store);
    expect(await checkLedger(store)).toEqual([]);
    for (const [, sql, fact] of faults) {
      await query(place, sql);
      expect((await checkLedger(store)).join()).toContain(fact);
    }
  });
});
