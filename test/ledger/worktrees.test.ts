import { describe, expect, it } from 'vitest';
import type { WorktreeInput } from '../../src/schema/worktree.ts';
import { history, ofType, refusal } from './support/ask.ts';
import { ann, coder } from './support/people.ts';
import { eachStore } from './support/stores.ts';

const base = 'a'.repeat(40);
const input = (projectId: string, given: Partial<WorktreeInput> = {}): WorktreeInput => ({
  projectId,
  branch: 'login--implementation-1-A',
  path: '/w/one',
  featureBranch: 'login',
  plan: 'plans/login',
  phase: '1',
  variant: 'A',
  baseCommit: base,
  ...given,
});

describe('the register of worktrees', () => {
  eachStore((store) => {
    it('VAR-1 finds a worktree by its branch and by its folder, even after a restart', async () => {
      const { ledger, project } = await store.start();
      const made = await ledger.worktrees.record(input(project), coder);
      const later = await store.open();
      expect(await later.worktrees.find(project, 'login--implementation-1-A')).toEqual(made);
      expect(await later.worktrees.findAt(project, '/w/one')).toEqual(made);
      expect(await later.worktrees.findAt(project, '/w')).toBeUndefined();
      expect(await later.worktrees.find('p-other', 'login--implementation-1-A')).toBeUndefined();
      expect(await later.worktrees.list(project)).toEqual([made]);
    });

    it('VAR-1 recording it again updates the same record: its base stays, and so do fields that are not given', async () => {
      const { ledger, project } = await store.start();
      const made = await ledger.worktrees.record(input(project), coder);
      const events = (await history(ledger, project)).length;
      expect(await ledger.worktrees.record(input(project), coder)).toEqual(made);
      expect(await history(ledger, project)).toHaveLength(events);
      const moved = await ledger.worktrees.record(
        input(project, { path: '/w/two', baseCommit: 'b'.repeat(40), plan: null }),
        coder,
      );
      expect(moved).toMatchObject({ id: made.id, path: '/w/two', baseCommit: base, plan: 'plans/login' });
    });

    it('VAR-1 a merged one and an alternative can be reused; an archived one can be replaced', async () => {
      const { ledger, project } = await store.start();
      const { branch, id } = await ledger.worktrees.record(input(project), coder);
      expect(await ledger.worktrees.change(project, branch, { state: 'merged' }, coder)).toMatchObject({
        state: 'merged',
        path: '/w/one',
      });
      expect((await ledger.worktrees.record(input(project), coder)).state).toBe('active');
      await ledger.worktrees.change(project, branch, { state: 'alternative' }, ann);
      expect(await refusal(ledger.worktrees.change(project, branch, { state: 'merged' }, ann))).toMatchObject(
        {
          code: 'conflict',
          message: expect.stringContaining('is alternative'),
        },
      );
      const archive = { state: 'archived' as const, archiveRef: `archive/${branch}`, path: null };
      await ledger.worktrees.change(project, branch, archive, ann);
      expect(await ledger.worktrees.find(project, branch)).toBeUndefined();
      const again = await ledger.worktrees.record(input(project), coder);
      expect(again.id).not.toBe(id);
      expect((await ledger.worktrees.list(project)).map((each) => each.state)).toEqual([
        'archived',
        'active',
      ]);
    });

    it('LED-3 every change is in the history, with who made it, and a repeated one is not', async () => {
      const { ledger, project } = await store.start();
      const { branch } = await ledger.worktrees.record(input(project), coder);
      for (const _ of [1, 2]) await ledger.worktrees.change(project, branch, { state: 'merged' }, ann);
      const events = ofType(await history(ledger, project), 'worktree.updated');
      expect(events.map(({ by, data }) => [by.actor.name, data.state])).toEqual([
        ['coder-1', 'active'],
        ['ann', 'merged'],
      ]);
    });

    it('two that record the same branch at once have one record', async () => {
      const { ledger, project } = await store.start();
      const other = await store.open();
      const made = await Promise.all(
        [ledger, other, ledger, other].map(({ worktrees }) => worktrees.record(input(project), coder)),
      );
      expect(new Set(made.map(({ id }) => id)).size).toBe(1);
      expect(await ledger.worktrees.list(project)).toHaveLength(1);
    });

    it('refuses invalid values, and a branch that is not on record', async () => {
      const { ledger, project } = await store.start();
      const wrong = ledger.worktrees.record(input(project, { baseCommit: 'HEAD' }), coder);
      expect((await refusal(wrong)).code).toBe('invalid');
      expect(await refusal(ledger.worktrees.change(project, 'x', { state: 'merged' }, ann))).toMatchObject({
        code: 'not_found',
      });
    });
  });
});
