import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { SqlRunner, Store } from '../../src/ledger/engine/store.ts';
import { type Ledger, ledgerOn, openLedger, openStore } from '../../src/ledger/ledger.ts';
import { postgresMissing } from '../support/fresh-database.ts';
import { longTest } from '../support/long-test.ts';
import { answers, ask, refusal } from './support/ask.ts';
import { freshFile } from './support/fresh-file.ts';
import { freshServer } from './support/fresh-server.ts';
import { ann } from './support/people.ts';
import { eachStore } from './support/stores.ts';
import { testStore } from './support/test-store.ts';

// Behaviour that, according to mutation testing (npm run mutate), no other test proves.

eachStore((store) => {
  it('LED-1 a project that could not be added leaves the ledger usable, and can be added later', async () => {
    const { ledger, project } = await store.start();
    const late = { id: `late-${project}`, name: 'late', root: null };
    const attempt = store.whileFailing('projects', 'insert', () => ledger.projects.ensure(late));
    await expect(attempt).rejects.toThrow('injected');
    expect(await ledger.projects.find(late.id)).toBeUndefined();
    await ask(ledger, project);
    expect(await ledger.projects.ensure(late)).toMatchObject(late);
  });

  it('LED-12 a standing decision is revoked by its own id in its own project, and no other with it', async () => {
    const { ledger, project } = await store.start();
    const other = await store.project(ledger);
    const decide = async (where: string, text: string) => {
      const { id } = await ask(ledger, where, { sourceId: text, questions: [{ id: 'q1', text }] });
      await ledger.notifications.resolve(where, id, answers({ q1: 'yes' }, true), ann);
    };
    for (const text of ['One?', 'Two?']) await decide(project, text);
    await decide(other, 'One?');
    const standing = async (where: string) => (await ledger.decisions.list(where)).filter((d) => d.standing);
    const one = (await standing(project)).find(({ question }) => question === 'One?');
    const foreign = ledger.decisions.revoke(other, one?.id ?? '', ann);
    expect(await refusal(foreign)).toMatchObject({ code: 'not_found' });
    expect(await standing(project)).toHaveLength(2);
    await ledger.decisions.revoke(project, one?.id ?? '', ann);
    expect((await standing(project)).map((d) => d.question)).toEqual(['Two?']);
    expect(await standing(other)).toHaveLength(1);
  });

  it('LED-5 an asker gets all outcomes that it has not received, and only its own', async () => {
    const { ledger, project } = await store.start();
    const other = await store.project(ledger);
    const { notifications } = ledger;
    const skipped = await ask(ledger, project, { questions: ['Skipped?'] });
    await notifications.resolve(
      project,
      skipped.id,
      { responses: [{ questionId: 'q1', skipped: true }] },
      ann,
    );
    const failing = { questions: ['Expired?'], policy: { kind: 'fail' as const, after: 0.001 } };
    const expired = await ask(ledger, project, failing, ann);
    await notifications.wait(project, expired.id);
    for (const [where, given] of [
      [other, {}],
      [project, { source: 'eval' as const }],
      [project, { sourceId: 'plan-2' }],
    ] as const) {
      const { id } = await ask(ledger, where, given);
      await notifications.resolve(where, id, answers({ q1: 'yes' }), ann);
    }
    const mine = await notifications.undelivered(project, 'plan', 'plan-1');
    expect(new Set(mine.map(({ id }) => id))).toEqual(new Set([skipped.id, expired.id]));
  });

  it('LED-8 a task says since when it is closed, but not once it is open again', async () => {
    const { ledger, project } = await store.start();
    await ledger.tasks.add({ projectId: project, id: 'T1', title: 'Work' }, ann);
    expect(await ledger.tasks.get(project, 'T1')).toMatchObject({ closedAt: null });
    const closed = await ledger.tasks.close(project, 'T1', ann);
    expect(closed.closedAt).toBe(closed.updatedAt);
    expect(await ledger.tasks.reopen(project, 'T1', ann)).toMatchObject({ closedAt: null });
  });
});

eachStore((store) => {
  /** A ledger that counts how often it reads, and how many listen to its store. */
  const counted = async (
    work: (ledger: Ledger, count: { reads: number; listeners: number }) => Promise<void>,
  ) => {
    const real = await openStore(store.place);
    const count = { reads: 0, listeners: 0 };
    const sql: SqlRunner['sql'] = (text, ...values) => {
      count.reads++;
      return real.reader.sql(text, ...values);
    };
    const onChange: Store['onChange'] = (listener) => {
      count.listeners++;
      const stop = real.onChange(listener);
      return () => {
        count.listeners--;
        stop();
      };
    };
    try {
      await work(ledgerOn({ ...real, reader: { ...real.reader, sql }, onChange }, {}), count);
    } finally {
      await real.close();
    }
  };

  it.each([
    ['without a deadline', undefined],
    ['with a far deadline', { kind: 'remind' as const, after: 3600 }],
  ])('LED-7 a waiter %s does not poll', async (_, policy) => {
    const { ledger, project } = await store.start();
    const { id } = await ask(ledger, project, policy ? { policy } : {});
    await counted(async (waiting, count) => {
      const given = waiting.notifications.wait(project, id);
      await sleep(150);
      expect(count.reads).toBeLessThan(5);
      await ledger.notifications.resolve(project, id, answers({ q1: 'yes' }), ann);
      expect(await given).toMatchObject({ status: 'answered' });
    });
  });

  it('LED-7 LED-11 waiters and watchers are no longer notified', async () => {
    const { ledger, project } = await store.start();
    const { id } = await ask(ledger, project);
    await counted(async (other, count) => {
      const watching = other.events.watch(project);
      await watching.next();
      const given = other.notifications.wait(project, id);
      expect(count.listeners).toBe(2);
      await ledger.notifications.resolve(project, id, answers({ q1: 'yes' }), ann);
      await given;
      expect(count.listeners).toBe(1);
      await watching.return();
      expect(count.listeners).toBe(0);
    });
  });
});

describe('on SQLite', () => {
  const store = testStore('SQLite', freshFile, openLedger);

  it('LED-7 a waiter in the process that answers is woken by the commit, not by the next check of the file', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] }); // there is no next look
    onTestFinished(() => void vi.useRealTimers());
    const { ledger, project } = await store.start();
    const { id } = await ask(ledger, project);
    const waiting = ledger.notifications.wait(project, id);
    await ledger.notifications.resolve(project, id, answers({ q1: 'yes' }), ann);
    expect(await waiting).toMatchObject({ status: 'answered' });
  });
});

describe.skipIf(postgresMissing)('on PostgreSQL', () => {
  const store = testStore('PostgreSQL', freshServer, openLedger);

  longTest(
    'LED-3 transactions that could not even begin, more than there are connections, leave room for the next one',
    async () => {
      const { ledger, project } = await store.start();
      for (let n = 0; n < 12; n++) {
        await ask(ledger, project, { sourceId: `asked-${n}` });
        cutWriters(store.place);
        const refused = ask(ledger, project, { sourceId: `cut-${n}` });
        await expect(refused, `attempt ${n}`).rejects.toThrow();
      }
      await ask(ledger, project, { sourceId: 'last' });
      expect(await ledger.notifications.count(['open'], project)).toBe(13);
    },
  );
});

/** Ends the connections that wrote last while this process is blocked, so it has not noticed when this returns. */
function cutWriters(place: string): void {
  const script = `
    import pg from 'pg';
    const client = new pg.Client({ connectionString: process.argv[1] });
    await client.connect();
    await client.query(\`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'notify%'\`);
    await client.end();`;
  execFileSync(process.execPath, ['--input-type=module', '-e', script, place], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: undefined },
  });
}
