import { describe, expect, it, onTestFinished } from 'vitest';
import { schemaVersion } from '../../src/ledger/engine/migrations.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { postgresMissing } from '../support/fresh-database.ts';
import { longTest } from '../support/long-test.ts';
import { refusal } from './support/ask.ts';
import { freshFile } from './support/fresh-file.ts';
import { freshServer } from './support/fresh-server.ts';
import { processes } from './support/processes.ts';
import type { FreshStore } from './support/test-store.ts';

const { run } = processes();
const eight = Array.from({ length: 8 });

async function fresh(make: () => Promise<FreshStore>): Promise<FreshStore> {
  const store = await make();
  onTestFinished(async () => {
    expect(await store.leftovers(), 'what the test left open').toEqual([]);
    await store.remove();
  });
  return store;
}

const stores = [
  {
    name: 'SQLite',
    make: freshFile,
    missing: undefined,
    version: 'select user_version as version from pragma_user_version',
    pretend: 'pragma user_version = 999',
    earlier: ['create table projects (id text primary key)', 'pragma user_version = 29'],
  },
  {
    name: 'PostgreSQL',
    make: freshServer,
    missing: postgresMissing,
    version: 'select version from fermata_version',
    pretend: 'update fermata_version set version = 999',
    earlier: [
      'create table projects (id text primary key)',
      'create table fermata_schema (version integer not null)',
      'insert into fermata_schema values (29)',
    ],
  },
];

describe.each(stores)('the schema on $name', ({ make, missing, version, pretend, earlier }) => {
  longTest('8 processes that start at once on a new store all succeed', async ({ skip }) => {
    if (missing) skip(missing);
    const store = await fresh(make);
    const results = await Promise.all(eight.map(() => run('open', store.place)));
    expect(results).toEqual(eight.map(() => 'opened'));
    expect(await store.sql(version)).toEqual([{ version: schemaVersion }]);
  });

  it('8 that open a new store in one process at once all succeed, and can be used', async ({ skip }) => {
    if (missing) skip(missing);
    const store = await fresh(make);
    const ledgers = await Promise.all(eight.map(() => openLedger(store.place, {})));
    await Promise.all(ledgers.map((l, n) => l.projects.ensure({ id: `p${n}`, name: 'p', root: null })));
    expect(await ledgers[0]?.projects.list()).toHaveLength(8);
    for (const ledger of ledgers) await ledger.close();
    ledgers.length = 0;
  });

  it('a store of a newer version is refused with what to do, and stays as it is', async ({ skip }) => {
    if (missing) skip(missing);
    const store = await fresh(make);
    await (await openLedger(store.place, {})).close();
    await store.sql(pretend);
    const error = await refusal(openLedger(store.place, {}));
    expect(error.code).toBe('newer_schema');
    expect(error.message).toContain('has version 999');
    expect(await store.sql(version)).toEqual([{ version: 999 }]);
  });

  it('a store from before version 1 is refused, and stays as it is', async ({ skip }) => {
    if (missing) skip(missing);
    const store = await fresh(make);
    for (const statement of earlier) await store.sql(statement);
    const error = await refusal(openLedger(store.place, {}));
    expect(error).toMatchObject({ code: 'invalid', message: expect.stringContaining('before Fermata 0.1') });
    await store.sql("insert into projects values ('p')"); // there is no other column
    await expect(store.sql('select 1 from events')).rejects.toThrow();
  });

  it('opening a store again changes nothing', async ({ skip }) => {
    if (missing) skip(missing);
    const store = await fresh(make);
    const first = await openLedger(store.place, {});
    await first.projects.ensure({ id: 'p', name: 'p', root: null });
    await first.close();
    const second = await openLedger(store.place, {});
    expect(await second.projects.get('p')).toMatchObject({ id: 'p' });
    await second.close();
  });
});
