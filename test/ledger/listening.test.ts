import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openLedger } from '../../src/ledger/ledger.ts';
import { postgresMissing } from '../support/fresh-database.ts';
import { ask } from './support/ask.ts';
import { freshServer } from './support/fresh-server.ts';
import { ann } from './support/people.ts';
import { testStore } from './support/test-store.ts';

const FROM_LISTENERS = "from pg_stat_activity where datname = current_database() and query like 'listen%'";

if (postgresMissing) it('PostgreSQL is not tested here', ({ skip }) => skip(postgresMissing));

describe.skipIf(postgresMissing)('a watcher on PostgreSQL', () => {
  const store = testStore('PostgreSQL', freshServer, openLedger);
  const listeners = async () => (await store.sql(`select pid ${FROM_LISTENERS}`)).length;

  it('LED-11 NOTIFY wakes a watcher for another process, without its slow check', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { ledger, project } = await store.start();
    const writer = await store.open();
    const watching = ledger.events.watch(project);
    for (const sourceId of ['one', 'two', 'three']) {
      const next = watching.next();
      await expect.poll(() => listeners()).toBe(1);
      await ask(writer, project, { sourceId });
      expect((await next).value).toMatchObject({ type: 'notification.added' });
    }
    await watching.return();
  });

  it('LED-11 its slow check finds what no NOTIFY announced', async () => {
    const { ledger, project } = await store.start();
    const watching = ledger.events.watch(project);
    const next = watching.next();
    await expect.poll(() => listeners()).toBe(1);
    await store.sql('update projects set last_event = 1 where id = ?', project);
    await store.sql(
      `insert into events (project_id, number, at, type, "by", data) values (?, 1, 1, 'task.updated', ?, '{"id":"A","title":"A"}')`,
      project,
      JSON.stringify(ann),
    );
    expect((await next).value).toMatchObject({ number: 1 });
    await watching.return();
  });

  it('LED-11 a LISTEN connection that was lost is opened again', async () => {
    const { ledger, project } = await store.start();
    const watching = ledger.events.watch(project);
    const next = watching.next();
    await expect.poll(() => listeners()).toBe(1);
    const [lost] = await store.sql<{ pid: number }>(
      `select pid, pg_terminate_backend(pid) ${FROM_LISTENERS}`,
    );
    const current = () =>
      store.sql<{ pid: number }>(`select pid ${FROM_LISTENERS} and pid <> ?`, lost?.pid ?? 0);
    await expect.poll(async () => (await current()).length).toBe(1);
    await ask(ledger, project);
    await next;
    await watching.return();
  });

  it('LED-11 a ledger that is closed while somebody watches leaves no connection behind', async () => {
    const { ledger, project } = await store.start();
    void ledger.events.watch(project).next();
    await expect.poll(() => listeners()).toBe(1);
    await ledger.close();
    await expect.poll(() => listeners()).toBe(0);
  });
});
