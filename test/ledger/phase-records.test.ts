import { describe, expect, it } from 'vitest';
import type { NewPhaseRecord } from '../../src/schema/phase-record.ts';
import { coder } from './support/people.ts';
import { eachStore } from './support/stores.ts';

describe('the log of phases', () => {
  eachStore((store) => {
    it('BIND-4 lists the records of one kind of all tasks of a plan, in order', async () => {
      const { ledger, project } = await store.start();
      for (const id of ['shop/1', 'shop/2', 'shop_2/1', 'SHOP/1'])
        await ledger.tasks.add({ projectId: project, id, title: id }, coder);
      const append = (taskId: string, kind: 'skipped' | 'review', mark: number) => {
        const record: NewPhaseRecord =
          kind === 'review'
            ? { kind, iteration: 1, data: { verdict: 'passed' } }
            : { kind, iteration: 1, data: { steps: [{ step: 'notes', reason: `${mark}` }] } };
        return ledger.phases.append(project, taskId, coder, () => record);
      };
      await append('shop/2', 'skipped', 1);
      await append('shop/1', 'review', 2);
      await append('shop_2/1', 'skipped', 3);
      await append('SHOP/1', 'skipped', 4);
      await append('shop/1', 'skipped', 5);
      const found = await ledger.phases.within(project, 'shop/', 'skipped');
      expect(found.map(({ taskId, data }) => [taskId, Number(data.steps[0]?.reason)])).toEqual([
        ['shop/2', 1],
        ['shop/1', 5],
      ]);
    });
  });
});
