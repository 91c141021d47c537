import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cleanupWorktrees } from '../../../src/work/worktrees/cleanup-worktrees.ts';
import { discardWorktree } from '../../../src/work/worktrees/discard-worktree.ts';
import { mergeWorktree } from '../../../src/work/worktrees/merge-worktree.ts';
import { openWorktree } from '../../../src/work/worktrees/open-worktree.ts';
import { refusal } from '../../ledger/support/ask.ts';
import { longTest } from '../../support/long-test.ts';
import { findContents, missing, takeInventory } from '../support/inventory.ts';
import { commit, freshRepository, loginPhase, openPlace, sh, write } from '../support/repository.ts';

const branch = 'login--implementation-1';

async function withWorktree() {
  const repository = await freshRepository();
  const worktree = await openWorktree(repository.worktreeContext, loginPhase('1'));
  return { ...repository, worktree, path: worktree.path };
}

describe('discarding a worktree', () => {
  it('VAR-1 renames the branch, with its history and settings, and removes the folder', async () => {
    const { main, worktreeContext, ledger, worktree, path } = await withWorktree();
    const tip = commit(path, 'work', { 'b.txt': 'b' });
    sh(main, 'config', `branch.${branch}.description`, 'mine');
    expect(await discardWorktree(worktreeContext, worktree)).toEqual({
      branch,
      archive: `archive/${branch}`,
      kept: null,
    });
    expect(sh(main, 'rev-parse', `archive/${branch}`)).toBe(tip);
    expect(sh(main, 'reflog', `archive/${branch}`).split('\n').length).toBeGreaterThanOrEqual(2);
    expect(sh(main, 'config', `branch.archive/${branch}.description`)).toBe('mine');
    expect(sh(main, 'branch', '--list', branch)).toBe('');
    expect(sh(main, 'worktree', 'list', '--porcelain')).not.toContain(path);
    expect(readdirSync(join(path, '..'))).toEqual([]);
    expect(await ledger.worktrees.find(worktreeContext.projectId, branch)).toBeUndefined();
    expect(await ledger.worktrees.list(worktreeContext.projectId)).toMatchObject([
      { state: 'archived', archiveRef: `archive/${branch}`, path: null },
    ]);
  });

  it('VAR-3 what is dirty, staged, untracked or executable is committed to the archive; what is ignored is moved aside', async () => {
    const { main, worktreeContext, worktree, path } = await withWorktree();
    write(path, { 'a.txt': 'staged\n', 'staged only.txt': 's' });
    sh(path, 'add', '-A');
    rmSync(join(path, 'staged only.txt'));
    write(path, {
      'a.txt': 'dirty\n',
      'neu/ü 1.txt': 'untracked',
      'neu/x.log': 'ignored beside untracked',
      'build/deep/out.o': 'o',
      'secret.log': 'l',
    });
    symlinkSync('nowhere', join(path, 'link'));
    const before = takeInventory(path);
    const { archive, kept } = await discardWorktree(worktreeContext, worktree);
    expect(sh(main, 'show', `${archive}:a.txt`)).toBe('dirty');
    expect(sh(main, 'show', `${archive}:neu/ü 1.txt`)).toBe('untracked');
    expect(sh(main, 'show', `${archive}^2:a.txt`)).toBe('staged');
    expect(sh(main, 'log', '-1', '--format=%s', archive ?? '')).toBe(`Uncommitted changes on ${branch}`);
    expect(readFileSync(join(kept ?? '', 'build/deep/out.o'), 'utf8')).toBe('o');
    expect(readFileSync(join(kept ?? '', 'neu/x.log'), 'utf8')).toBe('ignored beside untracked');
    expect(missing(before, findContents(main, kept ?? ''))).toEqual([]);
  });

  longTest(
    'VAR-3 keeps commits on no branch, an unfinished merge, and files whose changes git ignores',
    async () => {
      const { main, worktreeContext, worktree, path } = await withWorktree();
      sh(path, 'switch', '-q', '--detach');
      const lost = commit(path, 'on no branch', { 'lost.txt': 'lost' });
      sh(path, 'switch', '-q', branch);
      commit(path, 'theirs', { 'a.txt': 'theirs\n' });
      commit(main, 'ours', { 'a.txt': 'ours\n' });
      write(path, { 'dir with space/ü.txt': 'hidden change' });
      sh(path, 'update-index', '--assume-unchanged', 'dir with space/ü.txt');
      expect(() => sh(path, 'merge', 'login')).toThrow();
      const before = takeInventory(path);
      const { archive } = await discardWorktree(worktreeContext, worktree);
      expect(missing(before, findContents(main))).toEqual([]);
      expect(sh(main, 'branch', '--contains', lost)).toContain(archive);
      expect(sh(main, 'show', `${archive}:dir with space/ü.txt`)).toBe('hidden change');
      expect(sh(main, 'show', `${archive}:a.txt`)).toContain('<<<<<<<');
    },
  );

  longTest('VAR-3 keeps the start and the progress of an unfinished rebase', async () => {
    const { main, worktreeContext, worktree, path } = await withWorktree();
    commit(path, 'one', { 'one.txt': '1' });
    const tip = commit(path, 'two', { 'a.txt': 'theirs\n' });
    commit(main, 'ours', { 'a.txt': 'ours\n' });
    expect(() => sh(path, 'rebase', 'login')).toThrow();
    const before = takeInventory(path);
    const { archive } = await discardWorktree(worktreeContext, worktree);
    expect(missing(before, findContents(main))).toEqual([]);
    expect(sh(main, 'branch', '--contains', tip)).toContain(archive);
  });

  longTest(
    'VAR-3 keeps what was staged if the folder was deleted by hand, and the last commit if the branch was',
    async () => {
      const { main, worktreeContext, worktree, path } = await withWorktree();
      write(path, { 'staged.txt': 'only in the index' });
      sh(path, 'add', '-A');
      const { staged } = takeInventory(path);
      rmSync(path, { recursive: true });
      await discardWorktree(worktreeContext, worktree);
      expect(missing({ files: new Map(), staged, commits: [] }, findContents(main))).toEqual([]);
      const other = await openWorktree(worktreeContext, loginPhase('2'));
      const tip = commit(other.path, 'work', { 'w.txt': 'w' });
      sh(main, 'update-ref', '-d', `refs/heads/${other.branch}`);
      const { archive } = await discardWorktree(worktreeContext, other);
      expect(sh(main, 'branch', '--contains', tip)).toContain(archive);
    },
  );

  longTest('VAR-1 a second worktree of the same name has its own archive', async () => {
    const { main, worktreeContext, worktree, path } = await withWorktree();
    const first = commit(path, 'first', { f: '1' });
    await discardWorktree(worktreeContext, worktree);
    const again = await openWorktree(worktreeContext, loginPhase('1'));
    const second = commit(again.path, 'second', { f: '2' });
    expect((await discardWorktree(worktreeContext, again)).archive).toBe(`archive/${branch}-2`);
    expect(sh(main, 'rev-parse', `archive/${branch}`, `archive/${branch}-2`)).toBe(`${first}\n${second}`);
  });

  it('refuses a locked one, one with a repository inside, one that is checked out elsewhere, a branch named archive', async () => {
    const { main, worktreeContext, worktree, path } = await withWorktree();
    const refused = async () =>
      (await refusal(discardWorktree(worktreeContext, worktree))) as { type?: string };
    sh(main, 'worktree', 'lock', '--reason', 'mine', path);
    expect((await refused()).type).toBe('locked');
    sh(main, 'worktree', 'unlock', path);
    sh(path, 'init', '-q', 'inner');
    commit(join(path, 'inner'), 'inner', { i: 'i' });
    expect((await refused()).type).toBe('repository_inside');
    expect(readFileSync(join(path, 'inner/i'), 'utf8')).toBe('i');
    expect(sh(main, 'branch', '--list', 'archive/*')).toBe('');
    rmSync(join(path, 'inner'), { recursive: true });
    sh(path, 'switch', '-q', '--detach');
    sh(main, 'switch', '-q', branch);
    expect((await refused()).type).toBe('checked_out');
    sh(main, 'switch', '-q', 'login');
    sh(main, 'branch', 'archive');
    const other = await openWorktree(worktreeContext, loginPhase('2'));
    expect(await refusal(discardWorktree(worktreeContext, other))).toMatchObject({
      type: 'archive_in_the_way',
    });
    expect(existsSync(path)).toBe(true);
  });

  longTest(
    'four that discard it at once, while others clean up and open another, all end well',
    async () => {
      const { main, worktreeContext, worktree, path } = await withWorktree();
      write(path, { 'a.txt': 'dirty', 'x.log': 'ignored' });
      const before = takeInventory(path);
      const results = await Promise.all([
        ...[1, 2, 3, 4].map(() => discardWorktree(worktreeContext, worktree)),
        ...[1, 2].map(() => cleanupWorktrees(worktreeContext, { dryRun: false })),
        ...[1, 2].map(() => openWorktree(worktreeContext, loginPhase('2'))),
      ]);
      expect(results.slice(0, 4)).toMatchObject([1, 2, 3, 4].map(() => ({ archive: `archive/${branch}` })));
      expect(sh(main, 'branch', '--list', 'archive/*').split('\n')).toHaveLength(1);
      expect(missing(before, findContents(main, worktreeContext.storage))).toEqual([]);
    },
    240_000,
  );

  longTest(
    'VAR-3 in a sparse checkout, absent files do not count as deleted, and present ones are kept',
    async () => {
      const { main, worktreeContext, worktree, path } = await withWorktree();
      sh(path, 'sparse-checkout', 'set', '--no-cone', '/dir with space/');
      expect(existsSync(join(path, 'a.txt'))).toBe(false);
      const other = await openWorktree(worktreeContext, loginPhase('2'));
      expect((await discardWorktree(worktreeContext, worktree)).archive).toBe(`archive/${branch}`);
      expect(sh(main, 'rev-parse', `archive/${branch}`)).toBe(worktree.baseCommit);
      sh(other.path, 'sparse-checkout', 'set', '--no-cone', '/dir with space/');
      sh(main, 'update-ref', '-d', `refs/heads/${other.branch}`);
      write(other.path, { 'a.txt': 'back again', 'outside/new.txt': 'new', 'outside/x.log': 'ignored' });
      const before = takeInventory(other.path);
      const { archive } = await discardWorktree(worktreeContext, other);
      expect(missing(before, findContents(main, worktreeContext.storage))).toEqual([]);
      expect(sh(main, 'show', `${archive}:a.txt`)).toBe('back again');
    },
  );

  longTest('VAR-1 VAR-3 works in a shallow clone', async () => {
    const { main, home } = await freshRepository();
    commit(main, 'second', { 'b.txt': 'b' });
    const clone = join(home, 'clone');
    sh(main, 'clone', '-q', '--depth', '1', '--branch', 'login', `file://${main}`, clone);
    const { worktreeContext } = await openPlace(clone, join(home, 'clone-home'));
    const [one, two] = [
      await openWorktree(worktreeContext, loginPhase('1')),
      await openWorktree(worktreeContext, loginPhase('2')),
    ];
    const tip = commit(one.path, 'work', { w: 'w' });
    await mergeWorktree(worktreeContext, one);
    expect(sh(clone, 'merge-base', '--is-ancestor', tip, 'login')).toBe('');
    write(two.path, { 'a.txt': 'dirty' });
    const { archive } = await discardWorktree(worktreeContext, two);
    expect(sh(clone, 'show', `${archive}:a.txt`)).toBe('dirty');
  });

  it('only closes the record if nothing else is left', async () => {
    const { main, worktreeContext, ledger, worktree, path } = await withWorktree();
    sh(main, 'worktree', 'remove', path);
    sh(main, 'branch', '-D', branch);
    expect(await discardWorktree(worktreeContext, worktree)).toEqual({ branch, archive: null, kept: null });
    expect(await ledger.worktrees.find(worktreeContext.projectId, branch)).toBeUndefined();
  });
});
