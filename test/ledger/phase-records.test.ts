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

    it('BIND-4 adds a record to the current iteration, redacted, by the holder of the task only', async () => {
      const { ledger, project } = await store.start();
      await ledger.tasks.add({ projectId: project, id: 'shop/1', title: 'Cart' }, coder);
      const claim = { worker: 'w', leaseSeconds: 60 };
      const { fence } = await ledger.tasks.claim(project, 'shop/1', claim, coder);
      const add = (reason: string, with_ = fence) =>
        ledger.phases.add(project, 'shop/1', coder, { kind: 'failed', data: { reason } }, with_);
      await add('first');
      const data = { type: 'initial' as const, walkthrough: 'Done.', reason: null };
      const third: NewPhaseRecord = { kind: 'implementation', iteration: 3, data };
      await ledger.phases.append(project, 'shop/1', coder, () => third, fence);
      await add(`the token ghp_${'a1B2'.repeat(9)}`);
      await expect(add('late', fence - 1)).rejects.toMatchObject({ code: 'stale' });
      const records = await ledger.phases.list(project, 'shop/1');
      expect(records.map(({ kind, iteration }) => [kind, iteration])).toEqual([
        ['failed', 1],
        ['implementation', 3],
        ['failed', 3],
      ]);
      expect(JSON.stringify(records)).not.toContain('ghp_');
    });

    it('names a record that is damaged, and says what is wrong with it (LED-2)', async () => {
      const { ledger, project } = await store.start();
      await ledger.tasks.add({ projectId: project, id: 'shop/1', title: 'Cart' }, coder);
      const damages = [
        [`data = '{"reason":'`, 'not valid JSON'],
        [`data = 'null'`, 'reason is missing'],
        [`data = '{}'`, 'reason is missing'],
        [`kind = 'praised'`, 'unknown kind "praised"'],
      ];
      await ledger.phases.add(project, 'shop/1', coder, { kind: 'failed', data: { reason: 'No.' } });
      for (const [change, why] of damages) {
        await store.sql(`update phase_records set ${change}`);
        await expect(ledger.phases.list(project, 'shop/1')).rejects.toMatchObject({
          code: 'damaged',
          message: expect.stringMatching(`record \\d+ of phase shop/1 .*${why}.*Restore a backup`),
        });
      }
    });
  });
});
