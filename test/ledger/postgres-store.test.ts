import { inspect } from 'node:util';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openLedger } from '../../src/ledger/ledger.ts';
import { freshDatabase, postgresMissing } from '../support/fresh-database.ts';
import { longTest } from '../support/long-test.ts';
import { ask, fails, history, refusal } from './support/ask.ts';
import { freshServer } from './support/fresh-server.ts';
import { ann } from './support/people.ts';
import { testStore } from './support/test-store.ts';

if (postgresMissing) it('PostgreSQL is not tested here', ({ skip }) => skip(postgresMissing));

describe.skipIf(postgresMissing)('a ledger on PostgreSQL', () => {
  const store = testStore('PostgreSQL', freshServer, openLedger);
  const kill = (which: string) =>
    store.sql<{ ended: boolean }>(
      `select pg_terminate_backend(pid) as ended from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and query ilike ?`,
      which,
    );

  it('LED-11 still notifies a watcher whose LISTEN connection was killed', async () => {
    const { ledger, project } = await store.start();
    const writer = await store.open();
    const watching = ledger.events.watch(project);
    await ask(writer, project);
    await watching.next();
    const next = watching.next();
    await expect.poll(() => kill('listen%')).toEqual([{ ended: true }]);
    await ask(writer, project, { sourceId: 'later' });
    expect((await next).value).toMatchObject({ number: 2 });
    const third = watching.next();
    await ask(writer, project, { sourceId: 'latest' });
    expect((await third).value).toMatchObject({ number: 3 });
    await watching.return();
  });

  longTest(
    'TEAM-2 finds one task of a long new plan by its id, before PostgreSQL counts rows by itself',
    async () => {
      const { ledger, project } = await store.start();
      const tasks = Array.from({ length: 300 }, (_, n) => ({ projectId: project, id: `a/${n}`, title: 'T' }));
      await ledger.tasks.ensure({ projectId: project, plan: 'plans/p' }, tasks, new Set(), ann);
      const plan = await store.sql(
        `explain select * from tasks where project_id = '${project}' and id = 'a/7'`,
      );
      expect(JSON.stringify(plan)).toContain('tasks_pkey');
    },
  );

  it('LED-3 survives the loss of its idle connections', async () => {
    const { ledger, project } = await store.start();
    await ask(ledger, project);
    await kill('%');
    await expect.poll(() => ask(ledger, project, { sourceId: 'later' }).catch(() => undefined)).toBeDefined();
    expect((await history(ledger, project)).map((e) => e.number)).toEqual([1, 2]);
  });

  it('LED-3 a write whose connection is killed fails with a clear message, leaves nothing, and the next one works', async () => {
    const { ledger, project } = await store.start();
    const lock = await lockedProject(store.place, project);
    const attempts = ['a', 'b', 'c'].map((sourceId) => refusal(ask(ledger, project, { sourceId })));
    await expect.poll(() => waitingForLock()).toBe(1);
    await kill('%for update%');
    await lock.release();
    for (const error of await Promise.all(attempts)) {
      expect(error).toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('safe to try again'),
      });
    }
    expect(await history(ledger, project)).toEqual([]);
    await ask(ledger, project);
    expect((await history(ledger, project)).map((e) => e.number)).toEqual([1]);
  });

  async function waitingForLock(): Promise<number> {
    const rows = await store.sql(
      `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length;
  }

  it('LED-3 thirty failed writes in a row use up no connection', async () => {
    const { ledger, project } = await store.start();
    await store.whileFailing('events', 'insert', async () => {
      for (let n = 0; n < 30; n++) await fails(ask(ledger, project));
    });
    await ask(ledger, project);
  });

  it('LED-3 more projects than connections can be written at once', async () => {
    const { ledger } = await store.start();
    const projects = await Promise.all(Array.from({ length: 30 }, () => store.project(ledger)));
    await Promise.all(projects.map((project) => ask(ledger, project)));
    expect((await ledger.notifications.list({ limit: 1000 })).notifications.length).toBeGreaterThanOrEqual(
      30,
    );
  });

  it('LED-4 finds an id by its prefix, whatever the language of the database', async () => {
    const url = await frenchDatabase();
    const ledger = await openLedger(url, {});
    try {
      await ledger.projects.ensure({ id: 'p', name: 'p', root: null });
      const asked = await ask(ledger, 'p');
      expect((await ledger.notifications.find(asked.id.slice(0, 8))).id).toBe(asked.id);
    } finally {
      await ledger.close();
    }
  });

  it.each([
    ['a wrong password', (url: URL) => (url.password = 'wrong-secret')],
    ['a database that is not there', (url: URL) => (url.pathname = '/nowhere')],
    ['a port where nobody listens', (url: URL) => (url.port = '1')],
    ['a host that is not there', (url: URL) => (url.hostname = 'nowhere.invalid')],
  ])('SECURITY %s is told in a sentence that never shows the password', async (_, spoil) => {
    const url = new URL(store.place);
    const { password } = url;
    spoil(url);
    const error = await refusal(openLedger(url.href, {}));
    expect(error).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('safe to try again'),
    });
    for (const secret of [password, 'wrong-secret'])
      expect(inspect(error, { depth: 10 })).not.toContain(secret);
  });

  it('SECURITY an invalid URL is refused without showing the password', async () => {
    for (const url of [
      'postgres://u:s3cr/et@host:x/db',
      'postgres://u:s3cr/et@[::/db',
      'postgresql://:s3cr/et@',
    ]) {
      const error = await refusal(openLedger(url, {}));
      expect(error).toMatchObject({ code: 'invalid' });
      expect(inspect(error, { depth: 10 })).not.toContain('s3cr');
    }
  });

  it('SECURITY the place of a ledger is its URL without the password', async () => {
    const { ledger } = await store.start();
    const url = new URL(store.place);
    expect(ledger.place).not.toContain(url.password);
    expect(ledger.place).toContain(`${url.host}${url.pathname}`);
  });

  it('LED-11 closing while a watcher is just connecting leaves no connection', async () => {
    const { ledger, project } = await store.start();
    const stop = new AbortController();
    const watching = ledger.events.watch(project, 0, stop.signal);
    const next = watching.next();
    stop.abort();
    await next;
    await ledger.close();
    // The server ends the process of a closed connection a moment later.
    const open = () =>
      store.sql(
        "select query from pg_stat_activity where datname = current_database() and query like 'listen%'",
      );
    await expect.poll(open).toEqual([]);
  });
});

/** Holds the row of a project, as another hub that writes to it would. */
async function lockedProject(url: string, project: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  client.on('error', () => undefined); // it is killed with the others
  await client.query('begin');
  await client.query('select 1 from projects where id = $1 for no key update', [project]);
  return {
    release: () => client.end(),
  };
}

/** A database that sorts as French does, not byte by byte; dropped after the test. */
async function frenchDatabase(): Promise<string> {
  const admin = await freshDatabase();
  const client = new pg.Client({ connectionString: admin });
  await client.connect();
  await client.query(
    `create database french template template0 locale_provider icu icu_locale 'fr-FR' lc_collate 'C' lc_ctype 'C'`,
  );
  onTestFinished(async () => {
    await client.query('drop database french');
    await client.end();
  });
  const url = new URL(admin);
  url.pathname = '/french';
  return url.href;
}
