import { describe, expect, it } from 'vitest';
import type { CloneInput } from '../../src/schema/clone.ts';
import { eachStore } from './support/stores.ts';

const root = 'a'.repeat(40);
const clone = (projectId: string, given: Partial<CloneInput> = {}): CloneInput => ({
  projectId,
  id: 'one',
  host: 'anvil',
  folder: '/home/ann/shop/.git',
  roots: [root],
  remote: null,
  ...given,
});
const nobodyIsGone = () => false;

describe('the register of clones', () => {
  eachStore((store) => {
    it('TEAM-1 a clone that joins again is recorded once, with its current data', async () => {
      const { ledger, project } = await store.start();
      expect(await ledger.clones.join(clone(project), nobodyIsGone)).toBeUndefined();
      const moved = clone(project, { folder: '/home/ann/work/.git', host: 'anvil.local' });
      expect(await ledger.clones.join(moved, nobodyIsGone)).toBeUndefined();
      expect(await ledger.clones.list(project)).toMatchObject([moved]);
    });

    it('TEAM-1 a second clone without a remote is refused, and nothing is recorded of it', async () => {
      const { ledger, project } = await store.start();
      await ledger.clones.join(clone(project), nobodyIsGone);
      const second = clone(project, { id: 'two', host: 'bench' });
      expect(await ledger.clones.join(second, nobodyIsGone)).toMatchObject({
        kind: 'second_clone',
        other: { id: 'one', host: 'anvil' },
      });
      expect((await ledger.clones.list(project)).map(({ id }) => id)).toEqual(['one']);
    });

    it('TEAM-1 a second clone with a remote joins; one of another repository does not', async () => {
      const { ledger, project } = await store.start();
      await ledger.clones.join(clone(project), nobodyIsGone);
      const remote = { name: 'origin', address: 'ssh://git.example.org/shop.git' };
      expect(await ledger.clones.join(clone(project, { id: 'two', remote }), nobodyIsGone)).toBeUndefined();
      const stranger = clone(project, { id: 'three', remote, roots: ['b'.repeat(40)] });
      expect(await ledger.clones.join(stranger, nobodyIsGone)).toMatchObject({ kind: 'other_repository' });
      const shallow = clone(project, { id: 'four', remote, roots: [] });
      expect(await ledger.clones.join(shallow, nobodyIsGone)).toBeUndefined();
      const merged = clone(project, { id: 'five', remote, roots: ['b'.repeat(40), root] });
      expect(await ledger.clones.join(merged, nobodyIsGone)).toBeUndefined();
    });

    it('TEAM-1 another clone may join once the first one is gone', async () => {
      const { ledger, project } = await store.start();
      await ledger.clones.join(clone(project), nobodyIsGone);
      const second = clone(project, { id: 'two' });
      expect(await ledger.clones.join(second, ({ id }) => id === 'one')).toBeUndefined();
      expect((await ledger.clones.list(project)).map(({ id }) => id)).toEqual(['two']);
    });
  });
});
