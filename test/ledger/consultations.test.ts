import { describe, expect, it } from 'vitest';
import { history, refusal } from './support/ask.ts';
import { ann, coder } from './support/people.ts';
import { eachStore } from './support/stores.ts';

describe('the register of consultations', () => {
  eachStore((store) => {
    it('LED-9 feedback is kept with who gave it, even after a restart', async () => {
      const { ledger, project: projectId } = await store.start();
      const input = {
        projectId,
        role: 'analyst' as const,
        text: 'Make it nicer',
        data: { agent: { agent: 'x' } },
      };
      const one = await ledger.consultations.begin(input, ann);
      expect(one).toMatchObject({
        subject: one.id,
        status: 'open',
        result: null,
        createdBy: ann,
        data: { agent: { agent: 'x' } },
      });
      const later = await store.open();
      expect(await later.consultations.get(projectId, one.id)).toEqual(one);
      expect(await later.consultations.list(projectId, 'analyst')).toEqual([one]);
      expect(await later.consultations.list(projectId, 'planner')).toEqual([]);
      expect(await refusal(later.consultations.get('p-other', one.id))).toMatchObject({ code: 'not_found' });
    });

    it('LED-9 a consultation ends once, with its tasks, in one transaction', async () => {
      const { ledger, project: projectId } = await store.start();
      const begun = await ledger.consultations.begin({ projectId, role: 'analyst', text: 'x' }, ann);
      const tasks = [
        { title: 'Later', dependsOn: [1] },
        { title: 'First', priority: 0 },
      ];
      const attempts = await Promise.allSettled([
        ledger.consultations.finish(begun, { summary: 's' }, coder, tasks),
        ledger.consultations.finish(begun, { summary: 's' }, coder, tasks),
      ]);
      expect(attempts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const [done] = await ledger.consultations.list(projectId, 'analyst');
      expect(done).toMatchObject({
        status: 'done',
        result: { summary: 's', tasks: [expect.any(String), expect.any(String)] },
      });
      const [later, first] = done?.result?.tasks ?? [];
      expect(await ledger.tasks.list(projectId)).toMatchObject([
        { id: later, dependsOn: [first] },
        { id: first, priority: 0 },
      ]);
      const types = (await history(ledger, projectId)).map(({ type }) => type);
      expect(types.filter((type) => type === 'consultation.updated')).toHaveLength(2);
    });

    it('LED-9 tasks that cannot be added leave it open, and no task behind', async () => {
      const { ledger, project: projectId } = await store.start();
      const begun = await ledger.consultations.begin({ projectId, role: 'analyst', text: 'x' }, ann);
      const loop = [
        { title: 'A', dependsOn: [1] },
        { title: 'B', dependsOn: [0] },
      ];
      expect(await refusal(ledger.consultations.finish(begun, {}, coder, loop))).toMatchObject({
        code: 'invalid',
      });
      expect(await ledger.tasks.list(projectId)).toEqual([]);
      expect((await ledger.consultations.get(projectId, begun.id)).status).toBe('open');
    });
  });
});
