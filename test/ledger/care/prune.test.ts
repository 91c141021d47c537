import { describe, expect, it } from 'vitest';
import { checkLedger } from '../../../src/ledger/care/check-ledger.ts';
import { prune } from '../../../src/ledger/care/prune.ts';
import { openStore } from '../../../src/ledger/ledger.ts';
import { answers, ask, history } from '../support/ask.ts';
import { ann, coder } from '../support/people.ts';
import { eachStore } from '../support/stores.ts';

const later = () => Date.now() + 60_000;

describe('pruning', () => {
  eachStore((store) => {
    const pruned = async (before: number, options = {}) => {
      const opened = await openStore(store.place);
      try {
        const result = await prune(opened, before, options);
        expect(await checkLedger(opened)).toEqual([]);
        return result;
      } finally {
        await opened.close();
      }
    };

    it('OPS-1 removes what is settled, and nothing that is open, decided or asked with a key', async () => {
      const { ledger, project } = await store.start();
      const settled = await ask(ledger, project);
      const keyed = await ask(ledger, project, { key: 'database', questions: ['Which one?'] });
      for (const { id, questions } of [settled, keyed]) {
        await ledger.notifications.resolve(project, id, answers({ [questions[0]?.id ?? '']: 'yes' }), ann);
        await ledger.notifications.markDelivered(project, id, ann);
      }
      const open = await ask(ledger, project, { questions: ['Still open?'] });
      await ledger.tasks.add({ projectId: project, id: 'a', title: 'A' }, ann);
      const before = await history(ledger, project);

      const planned = await pruned(later(), { dryRun: true });
      expect(planned).toMatchObject({ events: before.length - 1, notifications: 1, stay: { tasks: 1 } });
      expect(await history(ledger, project)).toEqual(before);

      expect(await pruned(later())).toEqual(planned);
      expect(await history(ledger, project)).toEqual(before.slice(-1));
      expect(await ledger.decisions.list(project)).toHaveLength(2);
      const has = (id: string) =>
        ledger.notifications.get(project, id).then(
          () => true,
          () => false,
        );
      expect(await Promise.all([settled, keyed, open].map(({ id }) => has(id)))).toEqual([false, true, true]);
      const again = await ledger.notifications.create(
        {
          projectId: project,
          source: 'plan',
          sourceId: 'plan-1',
          key: 'database',
          questions: ['Which one?'],
        },
        coder,
      );
      expect(again.notification.id).toBe(keyed.id);
    });

    it('OPS-1 keeps the events that a sink has not read, and those of a run that has not ended', async () => {
      const { ledger, project } = await store.start();
      for (const id of ['a', 'b', 'c']) await ledger.tasks.add({ projectId: project, id, title: id }, ann);
      await store.sql(`insert into notice_cursors values ('${project}', 'desktop', 2)`);
      expect(await pruned(later())).toMatchObject({ stay: { events: 0 } });
      expect((await history(ledger, project)).map(({ number }) => number)).toEqual([3]);
      const other = await store.project(ledger);
      await ledger.runs.start(
        {
          projectId: other,
          agent: 'claude',
          source: 'plan',
          sourceId: 'x',
          cwd: '/w',
          data: { for: 'agent', prompt: 'Go.' },
        },
        { worker: 'here:1', leaseSeconds: 60 },
        coder,
      );
      for (const id of ['a', 'b']) await ledger.tasks.add({ projectId: other, id, title: id }, ann);
      expect(await pruned(later())).toMatchObject({ events: 0, stay: { events: 2 } });
      expect(await history(ledger, other)).toHaveLength(3);
    });

    it('OPS-1 leaves what is newer than the date', async () => {
      const { ledger, project } = await store.start();
      await ledger.tasks.add({ projectId: project, id: 'a', title: 'A' }, ann);
      const before = await history(ledger, project);
      await pruned(Date.now() - 60_000);
      expect(await history(ledger, project)).toEqual(before);
    });
  });
});
