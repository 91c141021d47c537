import { describe, expect, it, onTestFinished } from 'vitest';
import { openLedger } from '../../src/ledger/ledger.ts';
import { freshDatabase, postgresMissing } from '../support/fresh-database.ts';
import { ask, history } from './support/ask.ts';
import { type Cut, cuttingProxy } from './support/cutting-proxy.ts';
import { ann } from './support/people.ts';

if (postgresMissing) it('PostgreSQL is not tested here', ({ skip }) => skip(postgresMissing));

describe.skipIf(postgresMissing)('a connection that is lost during a commit', () => {
  it.each<Cut[][]>([[['response']], [['request']], [['request', 'response', 'request']]])(
    'OPS-6 (%s) leaves what it stored there once, and nobody has to be told',
    async (cuts) => {
      const place = await freshDatabase();
      const before = await openLedger(place, {});
      await before.projects.ensure({ id: 'p', name: 'p', root: null });
      await before.close();
      const told: string[] = [];
      const left = [...cuts];
      const patience = { ms: 20_000, tell: (sentence: string) => told.push(sentence) };
      const ledger = await openLedger(await cuttingProxy(place, left), {}, patience);
      onTestFinished(() => ledger.close());
      const [asked, task] = await Promise.all([
        ask(ledger, 'p'),
        ledger.tasks.add({ projectId: 'p', title: 'Once' }, ann),
      ]);
      await ledger.projects.ensure({ id: 'other', name: 'other', root: null });
      expect(left).toEqual([]);
      expect([asked.status, task.title]).toEqual(['open', 'Once']);
      expect((await ledger.tasks.list('p')).map(({ title }) => title)).toEqual(['Once']);
      expect((await history(ledger, 'p')).map(({ type }) => type).sort()).toEqual([
        'notification.added',
        'task.updated',
      ]);
      expect(told).toEqual([]);
    },
  );
});
