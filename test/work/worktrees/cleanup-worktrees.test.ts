import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cleanupWorktrees } from '../../../src/work/worktrees/cleanup-worktrees.ts';
import { mergeWorktree } from '../../../src/work/worktrees/merge-worktree.ts';
import { type OpenWorktree, openWorktree } from '../../../src/work/worktrees/open-worktree.ts';
import { longTest } from '../../support/long-test.ts';
import { findContents, missing, takeInventory } from '../support/inventory.ts';
import {
  commit,
  freshRepository,
  loginPhase,
  sh,
  type TestRepository,
  write,
} from '../support/repository.ts';

/** Worktrees with work that was merged, one for each number. */
async function merged(count: number) {
  const repository = await freshRepository();
  const { main, ledger, worktreeContext } = repository;
  const worktrees: OpenWorktree[] = [];
  for (let number = 1; number <= count; number++) {
    const worktree = await openWorktree(worktreeContext, loginPhase(`${number}`, null, null));
    commit(worktree.path, `work ${number}`, { [`${number}.txt`]: `${number}` });
    worktrees.push(worktree);
  }
  // All in one merge of git, which takes a tenth of the processes that merging each would take.
  sh(main, 'merge', '-q', '--no-ff', '-m', 'all', ...worktrees.map(({ branch }) => branch));
  const mergeCommit = sh(main, 'rev-parse', 'login');
  for (const { branch } of worktrees)
    await ledger.worktrees.change(
      worktreeContext.projectId,
      branch,
      { state: 'merged', mergeCommit },
      worktreeContext.by,
    );
  return { ...repository, worktrees };
}

/** The same with one worktree, which is merged as a phase is. */
async function mergedAsPhase() {
  const repository = await freshRepository();
  const worktree = await openWorktree(repository.worktreeContext, loginPhase('1', null, null));
  commit(worktree.path, 'work 1', { '1.txt': '1' });
  await mergeWorktree(repository.worktreeContext, worktree);
  return { ...repository, worktree };
}

const cleanUp = async ({ worktreeContext }: TestRepository, dryRun = false) => {
  const { removed, kept } = await cleanupWorktrees(worktreeContext, { dryRun });
  return {
    removed: removed.map(({ branch }) => branch),
    kept: Object.fromEntries(kept.map(({ branch, reasons }) => [branch.replace(/.*-/, ''), reasons])),
  };
};

describe('cleaning up worktrees', () => {
  it('CMD-13 removes the folder of one that is merged and has nothing else in it; its branch and its record stay, and it can be used again', async () => {
    const at = await mergedAsPhase();
    const { branch, path } = at.worktree;
    expect(await cleanUp(at, true)).toEqual({ removed: [branch], kept: {} });
    expect(existsSync(path)).toBe(true);
    expect(await cleanUp(at)).toEqual({ removed: [branch], kept: {} });
    expect(existsSync(path)).toBe(false);
    expect(sh(at.main, 'worktree', 'list', '--porcelain')).not.toContain(path);
    expect(sh(at.main, 'branch', '--list', branch)).toContain(branch);
    expect(await at.ledger.worktrees.find(at.worktreeContext.projectId, branch)).toMatchObject({
      state: 'merged',
      path: null,
    });
    expect(await cleanUp(at)).toEqual({ removed: [], kept: {} });
    const again = await openWorktree(at.worktreeContext, loginPhase('1', null, null));
    expect(again).toMatchObject({ state: 'active', id: at.worktree.id });
    expect(readFileSync(join(again.path, '1.txt'), 'utf8')).toBe('1');
  });

  it('CMD-13 VAR-3 keeps what is dirty, staged, untracked, unmerged, detached, locked, unfinished, hidden or on no branch, and says why', async () => {
    const at = await merged(11);
    const folder = (number: number) => at.worktrees[number - 1]?.path ?? '';
    write(folder(1), { 'a.txt': 'dirty' });
    write(folder(2), { 'new.txt': 'untracked' });
    commit(folder(3), 'more', { 'more.txt': 'm' });
    sh(folder(4), 'switch', '-q', '--detach');
    sh(at.main, 'worktree', 'lock', folder(5));
    commit(folder(6), 'theirs', { 'a.txt': 'theirs\n' });
    commit(at.main, 'ours', { 'a.txt': 'ours\n' });
    expect(() => sh(folder(6), 'merge', 'login')).toThrow();
    write(folder(7), { 'a.txt': 'hidden' });
    sh(folder(7), 'update-index', '--skip-worktree', 'a.txt');
    sh(folder(8), 'switch', '-q', '--detach');
    commit(folder(8), 'on no branch', { lost: 'l' });
    sh(folder(8), 'switch', '-q', at.worktrees[7]?.branch ?? '');
    write(folder(9), { 's.txt': 'staged' });
    sh(folder(9), 'add', '-A');
    rmSync(join(folder(9), 's.txt'));
    mkdirSync(join(folder(10), 'build'));
    sh(join(folder(10), 'build'), 'init', '-q', 'inner');
    const before = at.worktrees.map(({ path }) => takeInventory(path));
    const { removed, kept } = await cleanUp(at);
    expect(kept).toEqual({
      1: ['dirty'],
      2: ['untracked'],
      3: ['unmerged'],
      4: ['other_branch'],
      5: ['locked'],
      6: ['unfinished', 'unmerged', 'dirty'],
      7: ['dirty'],
      8: ['unkept'],
      9: ['dirty'],
    });
    expect(removed).toEqual([at.worktrees[9]?.branch, at.worktrees[10]?.branch]);
    const found = findContents(at.main, at.worktreeContext.storage);
    for (const inventory of before) expect(missing(inventory, found)).toEqual([]);
  }, 240_000);

  longTest(
    'CMD-13 keeps unpushed work if there is a remote, and active and alternative worktrees',
    async () => {
      const at = await merged(2);
      const [, second] = at.worktrees as [OpenWorktree, OpenWorktree];
      const remote = join(at.home, 'remote.git');
      sh(at.main, 'init', '-q', '--bare', remote);
      sh(at.main, 'remote', 'add', 'origin', remote);
      sh(at.main, 'push', '-q', 'origin', 'main', `${at.worktrees[0]?.branch}:login`);
      await at.ledger.worktrees.record({ ...inputOf(second), phase: '2' }, at.worktreeContext.by);
      expect((await cleanUp(at)).kept).toEqual({ 2: ['active'] });
      await at.ledger.worktrees.change(
        at.worktreeContext.projectId,
        second.branch,
        { state: 'merged' },
        at.worktreeContext.by,
      );
      expect((await cleanUp(at)).kept).toEqual({ 2: ['unpushed'] });
      sh(at.main, 'push', '-q', '-f', 'origin', 'login');
      expect((await cleanUp(at)).removed).toEqual([second.branch]);
      const other = await openWorktree(at.worktreeContext, loginPhase('3', 'A', null));
      await at.ledger.worktrees.change(
        at.worktreeContext.projectId,
        other.branch,
        { state: 'alternative' },
        at.worktreeContext.by,
      );
      expect((await cleanUp(at)).kept).toEqual({ A: ['alternative'] });
    },
  );

  it('CMD-13 keeps the current worktree and one where an agent works', async () => {
    const at = await merged(2);
    const [first, second] = at.worktrees as [OpenWorktree, OpenWorktree];
    const run = {
      projectId: at.worktreeContext.projectId,
      agent: 'x',
      source: 'execute' as const,
      sourceId: 't',
      data: { for: 'other' as const },
    };
    await at.ledger.runs.start(
      { ...run, cwd: join(second.path, 'src') },
      { worker: 'w', leaseSeconds: 60 },
      at.worktreeContext.by,
    );
    const { kept } = await cleanupWorktrees(at.from(first.path), { dryRun: false });
    expect(kept.map(({ reasons }) => reasons)).toEqual([['in_use'], ['in_use']]);
  });

  longTest(
    'ignored files are moved aside, not removed; a folder that was deleted by hand is forgotten',
    async () => {
      const at = await merged(2);
      const [first, second] = at.worktrees as [OpenWorktree, OpenWorktree];
      write(first.path, { 'build/out.o': 'o', 'x.log': 'l' });
      rmSync(second.path, { recursive: true });
      const { removed } = await cleanupWorktrees(at.worktreeContext, { dryRun: false });
      expect(removed.map(({ branch }) => branch)).toEqual([first.branch, second.branch]);
      expect(readFileSync(join(removed[0]?.kept ?? '', 'build/out.o'), 'utf8')).toBe('o');
      expect(readFileSync(join(removed[0]?.kept ?? '', 'x.log'), 'utf8')).toBe('l');
      expect(removed[1]?.kept).toBeNull();
      expect(sh(at.main, 'worktree', 'list')).not.toContain('\n');
    },
  );
});

function inputOf({ projectId, branch, path, featureBranch, plan, phase, variant, baseCommit }: OpenWorktree) {
  return { projectId, branch, path, featureBranch, plan, phase, variant, baseCommit };
}
