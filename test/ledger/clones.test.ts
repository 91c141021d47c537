import { describe, expect, it } from 'vitest';
import type { By } from '../../src/schema/actor.ts';
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
const by: By = { actor: { kind: 'person', name: 'ann' }, channel: 'command' };
const remote = { name: 'origin', address: 'ssh://git.example.org/shop.git' };
const nobody = { repository: null, by, isGone: () => false };
const fromShop = { ...nobody, repository: 'git.example.org/shop' };

describe('the register of clones', () => {
  eachStore((store) => {
    it('TEAM-1 a clone that joins again is recorded once, with its current data', async () => {
      const { ledger, project } = await store.start();
      expect(await ledger.clones.join(clone(project), nobody)).not.toHaveProperty('conflict');
      const again = clone(project, { roots: [root, 'c'.repeat(40)] });
      expect(await ledger.clones.join(again, nobody)).toEqual({});
      expect(await ledger.clones.list(project)).toMatchObject([again]);
    });

    it('TEAM-1 a second clone without a remote is refused, and nothing is recorded of it', async () => {
      const { ledger, project } = await store.start();
      await ledger.clones.join(clone(project), nobody);
      const second = clone(project, { id: 'two', host: 'bench' });
      expect(await ledger.clones.join(second, nobody)).toMatchObject({
        conflict: { kind: 'second_clone', other: { id: 'one', host: 'anvil' } },
      });
      expect((await ledger.clones.list(project)).map(({ id }) => id)).toEqual(['one']);
    });

    it('TEAM-1 a second clone with the same remote joins; one of another repository does not', async () => {
      const { ledger, project } = await store.start();
      await ledger.clones.join(clone(project, { remote }), fromShop);
      expect(await ledger.clones.join(clone(project, { id: 'two', remote }), fromShop)).toEqual({});
      for (const roots of [['b'.repeat(40)], []]) {
        const stranger = clone(project, { id: 'three', remote, roots });
        expect(await ledger.clones.join(stranger, fromShop)).toMatchObject({
          conflict: { kind: 'other_repository' },
        });
        expect(await ledger.clones.join(stranger, { ...fromShop, accepts: true })).toHaveProperty('conflict');
      }
      const merged = clone(project, { id: 'five', remote, roots: ['b'.repeat(40), root] });
      expect(await ledger.clones.join(merged, fromShop)).toEqual({});
    });

    it('TEAM-1 another clone may join once the first one is gone', async () => {
      const { ledger, project } = await store.start();
      await ledger.clones.join(clone(project, { remote }), fromShop);
      const second = clone(project, { id: 'two', remote });
      const isGone = ({ id }: { id: string }) => id === 'one';
      expect(await ledger.clones.join(second, { ...fromShop, isGone })).toEqual({});
      expect((await ledger.clones.list(project)).map(({ id }) => id)).toEqual(['two']);
    });

    if (store.name !== 'PostgreSQL') return;

    it('BIND-21 another address needs a person’s yes, given once', async () => {
      const { ledger, project } = await store.start();
      expect(await ledger.clones.join(clone(project, { remote }), fromShop)).toEqual({ isNew: true });
      const fork = { ...nobody, repository: 'git.example.org/fork' };
      const theirs = clone(project, { id: 'two', remote });
      expect(await ledger.clones.join(theirs, fork)).toMatchObject({
        conflict: { kind: 'unknown_remote' },
      });
      const byAgent = { actor: { kind: 'agent', name: 'coder' }, channel: 'agent' } as const;
      await expect(ledger.clones.join(theirs, { ...fork, by: byAgent, accepts: true })).rejects.toThrow(
        /agent/,
      );
      await expect(ledger.clones.accept(project, 'x/y', byAgent)).rejects.toThrow(/agent/);
      expect(await ledger.clones.join(theirs, { ...fork, accepts: true })).toEqual({});
      expect(await ledger.clones.join(clone(project, { id: 'three', remote }), fork)).toEqual({});
      expect((await ledger.clones.accepted(project)).map(({ address }) => address)).toEqual([
        'git.example.org/shop',
        'git.example.org/fork',
      ]);
    });

    it('BIND-21 a project that already has a question is not given to the first clone', async () => {
      const { ledger, project } = await store.start();
      await ledger.projects.setHilConfig(project, 'full', by);
      for (const [own, how] of [
        [clone(project), nobody],
        [clone(project, { remote }), fromShop],
      ] as const) {
        expect(await ledger.clones.join(own, how)).toHaveProperty('conflict');
        expect(await ledger.clones.list(project)).toEqual([]);
      }
      expect(await ledger.clones.join(clone(project), { ...nobody, accepts: true })).toEqual({});
      const copied = clone(project, { folder: '/elsewhere/.git' });
      expect(await ledger.clones.join(copied, nobody)).toMatchObject({
        conflict: { kind: 'unknown_clone' },
      });
    });

    it('BIND-21 an agent does not introduce the first clone of a project', async () => {
      const { ledger, project } = await store.start();
      const byAgent = { actor: { kind: 'agent', name: 'coder' }, channel: 'agent' } as const;
      expect(
        await ledger.clones.join(clone(project, { remote }), { ...fromShop, by: byAgent }),
      ).toHaveProperty('conflict');
    });
  });
});
