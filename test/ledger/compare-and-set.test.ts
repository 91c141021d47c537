import { describe, expect, it } from 'vitest';
import type { Store, Tx } from '../../src/ledger/engine/store.ts';
import { type Ledger, ledgerOn, openStore } from '../../src/ledger/ledger.ts';
import { answers, ask, askFor, history, refusal } from './support/ask.ts';
import { ann, coder } from './support/people.ts';
import { eachStore } from './support/stores.ts';
import type { TestStore } from './support/test-store.ts';

type Meddle = (tx: Tx) => Promise<unknown>;

/** The store, but within each transaction somebody changes a row after it was read from `table`. */
function meddling(store: Store, table: string, meddle: Meddle): Store {
  const write: Store['write'] = (scope, work) =>
    store.write(scope, (tx) => {
      const sql: Tx['sql'] = async (text, ...values) => {
        const rows = await tx.sql(text, ...values);
        if (text.startsWith(`select * from ${table} where`)) await meddle(tx as Tx);
        return rows as never;
      };
      return work({ ...tx, sql });
    });
  return { ...store, write };
}

/** A ledger whose every change comes a moment too late. */
async function tooLate(
  place: TestStore,
  table: string,
  meddle: Meddle,
  work: (ledger: Ledger) => Promise<void>,
): Promise<void> {
  const store = await openStore(place.place);
  try {
    await work(ledgerOn(meddling(store, table, meddle), {}));
  } finally {
    await store.close();
  }
}

describe('a change applies to the version that was read, or not at all', () => {
  eachStore((store) => {
    it('LED-4 an answer over a question that changed since it was read is refused, and nothing of it is stored', async () => {
      const { ledger, project } = await store.start();
      await ledger.tasks.add({ projectId: project, id: 'T1', title: 'Work' }, ann);
      const asked = await askFor(ledger, project, 'T1');
      const meddle: Meddle = (tx) =>
        tx.sql('update open_questions set version = version + 1 where id = ?', asked.id);
      await tooLate(store, 'open_questions', meddle, async (late) => {
        const attempt = late.notifications.resolve(project, asked.id, answers({ q1: 'yes' }), ann);
        expect(await refusal(attempt)).toMatchObject({
          code: 'busy',
          message: expect.stringContaining('Try again'),
        });
      });
      expect(await ledger.notifications.get(project, asked.id)).toEqual(asked);
      expect(await ledger.tasks.chat(project, 'T1')).toEqual([]);
      expect(await ledger.tasks.get(project, 'T1')).toMatchObject({ blockReason: 'Open Question' });
      await ledger.notifications.resolve(project, asked.id, answers({ q1: 'yes' }), ann);
    });

    it.each([
      ['its number', 'update tasks set fence = fence + 1 where project_id = ?'],
      ['its state', "update tasks set status = 'closed' where project_id = ?"],
    ])('LED-6 LED-8 a change of a task is refused if %s changed since it was read', async (_, change) => {
      const { ledger, project } = await store.start();
      const before = await ledger.tasks.add({ projectId: project, id: 'T1', title: 'Work' }, ann);
      const events = await history(ledger, project);
      await tooLate(
        store,
        'tasks',
        (tx) => tx.sql(change, project),
        async (late) => {
          const claim = late.tasks.claim(project, 'T1', { worker: 'w', leaseSeconds: 60 }, coder);
          expect(await refusal(claim)).toMatchObject({ code: 'stale' });
          const asking = askFor(late, project, 'T1');
          expect(await refusal(asking)).toMatchObject({ code: 'stale' });
        },
      );
      expect(await ledger.tasks.get(project, 'T1')).toEqual(before);
      expect(await history(ledger, project)).toEqual(events);
      expect(await ledger.notifications.count(['open'], project)).toBe(0);
    });

    it('LED-1 the store itself refuses the same open request twice', async () => {
      const { ledger, project } = await store.start();
      const { id } = await ask(ledger, project);
      const columns = await store.sql<Record<string, string>>(
        'select * from open_questions where id = ?',
        id,
      );
      const names = Object.keys(columns[0] ?? {});
      const values = names.map((name) => (name === 'id' ? "'n-copy'" : name)).join(', ');
      await expect(
        store.sql(
          `insert into open_questions (${names.join(', ')}) select ${values} from open_questions where id = '${id}'`,
        ),
      ).rejects.toThrow(/unique/i);
    });
  });
});
