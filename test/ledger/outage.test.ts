import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openLedger } from '../../src/ledger/ledger.ts';
import { postgresMissing } from '../support/fresh-database.ts';
import { longTest } from '../support/long-test.ts';
import { ownPostgres } from '../support/own-postgres.ts';
import { answers, ask, history, refusal } from './support/ask.ts';
import { ann } from './support/people.ts';

if (postgresMissing) it('PostgreSQL is not tested here', ({ skip }) => skip(postgresMissing));

describe.skipIf(postgresMissing)('a PostgreSQL that goes away', { timeout: 60_000 }, () => {
  const postgres = ownPostgres();
  const bothTold = [
    expect.stringMatching(/^The store is unavailable; waiting for it … \(Cannot reach the ledger at/),
    expect.stringMatching(/^The store is available again after \d+ s\.$/),
  ];

  it.each(['stop', 'kill', 'freeze'] as const)(
    'OPS-6 (%s) makes callers wait: nothing is lost or duplicated, and each change is reported in one sentence',
    async (how) => {
      const { ledger, project, told } = await postgres.ledger();
      const asked = await ask(ledger, project);
      const waiting = ledger.notifications.wait(project, asked.id);
      const watching = ledger.events.watch(project, 1);
      const seen = watching.next();
      await postgres.halt(how);
      const later = Array.from({ length: 5 }, (_, n) => ask(ledger, project, { sourceId: `later-${n}` }));
      const listed = ledger.notifications.count(['open']);
      await expect.poll(() => told, { timeout: 20_000 }).toHaveLength(1);
      await postgres.bringBack();
      await Promise.all(later);
      await listed;
      await ledger.notifications.resolve(project, asked.id, answers({ q1: 'yes' }), ann);
      expect((await waiting)?.status).toBe('answered');
      expect((await seen).value).toMatchObject({ number: 2 });
      await watching.return();
      const events = await history(ledger, project);
      expect(events.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7]);
      await expect.poll(() => told).toEqual(bothTold);
    },
  );

  it('OPS-6 makes callers wait if it is unavailable at the start; a wrong password fails at once', async () => {
    const place = await postgres.createDatabase();
    const told: string[] = [];
    await postgres.halt('stop');
    const opening = openLedger(place, {}, { ms: 60_000, tell: (sentence) => told.push(sentence) });
    await expect.poll(() => told).toHaveLength(1);
    await postgres.bringBack();
    await (await opening).close();
    expect(told).toEqual(bothTold);
    const wrong = new URL(place);
    wrong.password = 'wrong';
    expect(await refusal(openLedger(wrong.href, {}, { ms: 60_000 }))).toMatchObject({ code: 'unavailable' });
  });

  it('OPS-6 a caller that cannot wait is refused within two seconds, without the address of the store, and nothing is done later', async () => {
    const { ledger, project } = await postgres.ledger();
    await postgres.halt('freeze');
    const quick = ledger.within(2000);
    const start = performance.now();
    const refused = await Promise.all([
      refusal(ask(quick, project)),
      refusal(quick.notifications.count(['open'])),
      refusal(
        quick.credentials.make({
          kind: 'login',
          seconds: 60,
          name: 'ann',
          role: 'human',
          projectId: null,
          parent: null,
        }),
      ),
    ]);
    expect(performance.now() - start).toBeLessThan(4000);
    await postgres.bringBack();
    for (const error of refused) {
      expect(error.code).toBe('unavailable');
      expect(error.message).toBe('The store is unavailable. Nothing was changed; try again in a moment.');
    }
    await ask(ledger, project, { sourceId: 'later' });
    expect(await history(ledger, project)).toHaveLength(1);
  });

  it.each([
    ['has not begun is told so, and it is never stored', 'select 1 from projects for no key update', 0],
    ['has begun is told that it may be stored', 'lock table open_questions in share mode', 1],
  ])('OPS-6 a caller that cannot wait, whose write %s', async (_, lock, stored) => {
    const { ledger, project, place } = await postgres.ledger();
    const other = new pg.Client({ connectionString: place });
    await other.connect();
    onTestFinished(() => other.end());
    await other.query(`begin; ${lock}`);
    const { message } = await refusal(ask(ledger.within(2000), project));
    await other.query('rollback');
    expect(message).toMatch(
      stored ? /unknown whether this was stored\. Check before/ : /Nothing was changed/,
    );
    await ask(ledger, project, { sourceId: 'later' });
    expect(await history(ledger, project)).toHaveLength(stored + 1);
  });

  longTest(
    'OPS-6 an interruption ends the wait, and the ledger can be closed while its server is frozen',
    async () => {
      const place = await postgres.createDatabase();
      const stop = new AbortController();
      const ledger = await openLedger(place, {}, { ms: 60_000, signal: stop.signal });
      onTestFinished(() => ledger.close());
      await ledger.projects.ensure({ id: 'p', name: 'p', root: null });
      await postgres.halt('kill');
      const asked = refusal(ask(ledger, 'p'));
      await sleep(300);
      stop.abort();
      expect(await asked).toMatchObject({ code: 'unavailable' });
      await postgres.bringBack();
      const another = await openLedger(place, {});
      await another.projects.list();
      await postgres.halt('freeze');
      await another.close();
      await postgres.bringBack();
    },
  );
});
