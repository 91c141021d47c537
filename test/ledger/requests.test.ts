import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { history, refusal } from './support/ask.ts';
import { ann, coder } from './support/people.ts';
import { eachStore } from './support/stores.ts';

const ask = (ledger: Ledger, project: string, text = 'Make it nicer') =>
  ledger.tasks.submit(
    { projectId: project, title: text },
    { kind: 'feedback', input: { text, agent: { agent: 'x' } } },
    ann,
  );

describe('what roles are asked for', () => {
  eachStore((store) => {
    it('LED-9 WORK-1 feedback is a task with who gave it, even after a restart, and in no list of plain tasks', async () => {
      const { ledger, project } = await store.start();
      const one = await ask(ledger, project);
      expect(one).toMatchObject({
        ...{ kind: 'feedback', status: 'open', result: null, requestedBy: ann },
        input: { text: 'Make it nicer', agent: { agent: 'x' } },
      });
      const later = await store.open();
      expect(await later.tasks.work(project, one.id, 'feedback')).toEqual(one);
      expect(await later.tasks.ofKind(project, 'feedback')).toEqual([one]);
      expect(await later.tasks.ofKind(project, 'prd')).toEqual([]);
      expect(await refusal(later.tasks.work('p-other', one.id, 'feedback'))).toMatchObject({
        code: 'not_found',
      });
      expect(await refusal(later.tasks.work(project, one.id, 'prd'))).toMatchObject({ code: 'not_found' });
      expect(await later.tasks.list(project)).toEqual([]);
      expect(await later.tasks.ready(project)).toEqual([]);
      expect(await later.tasks.list(project, { kinds: ['feedback'] })).toMatchObject([{ id: one.id }]);
      expect(
        await refusal(later.tasks.claim(project, one.id, { worker: 'w', leaseSeconds: 9 }, coder)),
      ).toMatchObject({
        code: 'forbidden',
      });
    });

    it('LED-9 a request ends once, with its tasks, in one transaction', async () => {
      const { ledger, project } = await store.start();
      const begun = await ask(ledger, project);
      const tasks = [
        { title: 'Later', dependsOn: [1] },
        { title: 'First', priority: 0 },
      ];
      const attempts = await Promise.allSettled([
        ledger.tasks.finish(begun, { summary: 's' }, coder, tasks),
        ledger.tasks.finish(begun, { summary: 's' }, coder, tasks),
      ]);
      expect(attempts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const [done] = await ledger.tasks.ofKind(project, 'feedback');
      expect(done).toMatchObject({
        status: 'closed',
        result: { summary: 's', tasks: [expect.any(String), expect.any(String)] },
      });
      const [later, first] = done?.result?.tasks ?? [];
      expect(await ledger.tasks.list(project)).toMatchObject([
        { id: later, dependsOn: [first] },
        { id: first, priority: 0 },
      ]);
      const told = (await history(ledger, project)).filter(
        ({ type, data }) => type === 'task.updated' && 'kind' in data && data.kind === 'feedback',
      );
      expect(told).toHaveLength(2);
    });

    it('LED-9 tasks that cannot be added leave it open, and no task behind', async () => {
      const { ledger, project } = await store.start();
      const begun = await ask(ledger, project);
      const loop = [
        { title: 'A', dependsOn: [1] },
        { title: 'B', dependsOn: [0] },
      ];
      expect(await refusal(ledger.tasks.finish(begun, {}, coder, loop))).toMatchObject({ code: 'invalid' });
      expect(await ledger.tasks.list(project)).toEqual([]);
      expect((await ledger.tasks.get(project, begun.id)).status).toBe('open');
    });
  });
});
