import { describe, expect, it } from 'vitest';
import { askFor, readyIds, refusal } from './support/ask.ts';
import { ann } from './support/people.ts';
import { eachStore } from './support/stores.ts';

describe('a task whose phase was removed from its plan', () => {
  eachStore((store) => {
    async function plan() {
      const { ledger, project } = await store.start();
      const inputs = ['p/1', 'p/2', 'p/3'].map((id, index) => ({
        projectId: project,
        id,
        title: id,
        dependsOn: index === 0 ? [] : [`p/${index}`],
      }));
      await ledger.tasks.ensure({ projectId: project, plan: 'plans/p' }, inputs, new Set(['p/1']), ann);
      await ledger.tasks.add({ projectId: project, id: 'mine', title: 'Mine', dependsOn: ['p/2'] }, ann);
      const asked = await askFor(ledger, project, 'p/2');
      return { ledger, project, inputs, asked };
    }

    it('LED-13 has its question withdrawn, and no other task of the plan waits for it', async () => {
      const { ledger, project, asked } = await plan();
      expect(await ledger.tasks.drop(project, 'p/', new Set(['p/1', 'p/3']), ann)).toEqual(['p/2']);
      expect(await ledger.tasks.drop(project, 'p/', new Set(['p/1', 'p/3']), ann)).toEqual([]);
      expect(await ledger.tasks.get(project, 'p/2')).toMatchObject({
        status: 'blocked',
        blockReason: 'No longer in the plan',
      });
      expect(await readyIds(ledger, project)).toEqual(['p/3']);
      const late = ledger.notifications.resolve(
        project,
        asked.id,
        { responses: [{ questionId: 'q1', answer: 'x' }] },
        ann,
      );
      expect(await refusal(late)).toMatchObject({
        code: 'gone',
        message: expect.stringContaining('Task p/2 is no longer in its plan.'),
      });
      expect(await ledger.tasks.standing(project, 'p/')).toMatchObject({ closed: 1, open: 1, blocked: 0 });
    });

    it('RUN-1 comes back with its phase, and other tasks wait for it again', async () => {
      const { ledger, project, inputs } = await plan();
      await ledger.tasks.drop(project, 'p/', new Set(['p/1', 'p/3']), ann);
      await ledger.tasks.ensure({ projectId: project, plan: 'plans/p' }, inputs, new Set(), ann);
      expect(await readyIds(ledger, project)).toEqual(['p/2']);
      await ledger.tasks.end(project, 'p/2', ann);
      expect(await readyIds(ledger, project)).toEqual(['p/3', 'mine']);
    });
  });
});
