import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findWorktree } from '../../../src/work/worktrees/find-worktree.ts';
import { mergeWorktree } from '../../../src/work/worktrees/merge-worktree.ts';
import { openWorktree } from '../../../src/work/worktrees/open-worktree.ts';
import { refusal } from '../../ledger/support/ask.ts';
import { longTest } from '../../support/long-test.ts';
import { commit, freshRepository, loginPhase, sh, write } from '../support/repository.ts';

/** A repository with one worktree in which something was committed. */
async function withWork(files: Record<string, string> = { 'b.txt': 'b\n' }) {
  const repository = await freshRepository();
  const worktree = await openWorktree(repository.worktreeContext, loginPhase('1'));
  const tip = commit(worktree.path, 'work', files);
  return { ...repository, worktree, tip };
}

describe('merging a worktree', () => {
  it('CMD-13 merges into the feature branch where it is checked out, with a merge commit, and records it', async () => {
    const { main, worktreeContext, ledger, worktree, tip } = await withWork();
    const before = sh(main, 'rev-parse', 'login');
    const { commit: merged } = await mergeWorktree(worktreeContext, worktree);
    expect(sh(main, 'rev-parse', 'login')).toBe(merged);
    expect(sh(main, 'log', '-1', '--format=%P|%s')).toBe(
      `${before} ${tip}|Merge branch 'login--implementation-1' into login`,
    );
    expect(readFileSync(join(main, 'b.txt'), 'utf8')).toBe('b\n');
    expect(sh(main, 'status', '--porcelain')).toBe('');
    expect((await ledger.worktrees.find(worktreeContext.projectId, worktree.branch))?.state).toBe('merged');
    expect(await mergeWorktree(worktreeContext, worktree)).toMatchObject({ already: true, commit: merged });
  });

  it('CMD-13 a dirty main checkout keeps every change: staged, not staged, untracked', async () => {
    const { main, worktreeContext, worktree } = await withWork();
    write(main, { 'a.txt': 'dirty\n', 'new.txt': 'n', 'dir with space/ü.txt': 'staged\n' });
    sh(main, 'add', 'dir with space/ü.txt');
    const status = sh(main, 'status', '--porcelain');
    await mergeWorktree(worktreeContext, worktree);
    expect(sh(main, 'status', '--porcelain')).toBe(status);
    expect(readFileSync(join(main, 'a.txt'), 'utf8')).toBe('dirty\n');
    expect(existsSync(join(main, 'b.txt'))).toBe(true);
  });

  it.each([
    ['changed', { 'a.txt': 'dirty\n' }, { 'a.txt': 'one\ntwo\n3\n' }],
    ['untracked', { 'b.txt': 'mine' }, { 'b.txt': 'b\n' }],
  ])(
    'CMD-13 refuses if a file that is %s there is in the way, and touches nothing',
    async (_, dirty, work) => {
      const { main, worktreeContext, worktree } = await withWork(work);
      write(main, dirty);
      const before = [sh(main, 'rev-parse', 'login'), sh(main, 'status', '--porcelain')];
      expect(await refusal(mergeWorktree(worktreeContext, worktree))).toMatchObject({
        type: 'would_overwrite',
        details: { merged: false, checkout: main, files: Object.keys(dirty) },
      });
      expect([sh(main, 'rev-parse', 'login'), sh(main, 'status', '--porcelain')]).toEqual(before);
      const [[file, text]] = Object.entries(dirty) as [[string, string]];
      expect(readFileSync(join(main, file), 'utf8')).toBe(text);
    },
  );

  it('CMD-13 merges if the feature branch is checked out nowhere, in another worktree, or in a deleted one', async () => {
    const { main, home, worktreeContext, worktree } = await withWork();
    sh(main, 'switch', '-q', 'main');
    await mergeWorktree(worktreeContext, worktree);
    expect(sh(main, 'show', 'login:b.txt')).toBe('b');
    expect(existsSync(join(main, 'b.txt'))).toBe(false);
    const other = join(home, 'other');
    sh(main, 'worktree', 'add', '-q', other, 'login');
    commit(worktree.path, 'more', { 'c.txt': 'c\n' });
    await mergeWorktree(worktreeContext, worktree);
    expect(readFileSync(join(other, 'c.txt'), 'utf8')).toBe('c\n');
    rmSync(other, { recursive: true });
    commit(worktree.path, 'more', { 'd.txt': 'd\n' });
    await mergeWorktree(worktreeContext, worktree);
    expect(sh(main, 'show', 'login:d.txt')).toBe('d');
  });

  it('CMD-13 conflicts are data, and nothing is half merged', async () => {
    const { main, worktreeContext, worktree, ledger } = await withWork({
      'a.txt': 'theirs\n',
      'gone.txt': 'x',
    });
    const before = commit(main, 'ours', { 'a.txt': 'ours\n' });
    const error = await refusal(mergeWorktree(worktreeContext, worktree));
    expect(error).toMatchObject({
      type: 'merge_conflict',
      details: {
        merged: false,
        branch: worktree.branch,
        into: 'login',
        conflicts: [{ path: 'a.txt', reason: 'CONFLICT (content): Merge conflict in a.txt' }],
      },
    });
    expect(sh(main, 'rev-parse', 'login')).toBe(before);
    expect(sh(main, 'status', '--porcelain')).toBe('');
    expect(existsSync(join(main, '.git/MERGE_HEAD'))).toBe(false);
    expect((await ledger.worktrees.find(worktreeContext.projectId, worktree.branch))?.state).toBe('active');
    sh(worktree.path, 'merge', '-q', '-X', 'ours', 'login');
    await mergeWorktree(worktreeContext, worktree);
    expect(readFileSync(join(main, 'a.txt'), 'utf8')).toBe('theirs\n');
  });

  it('CMD-13 refuses a worktree with uncommitted changes, an unfinished merge or commits on no branch', async () => {
    const { main, worktreeContext, worktree } = await withWork({ 'a.txt': 'theirs\n' });
    write(worktree.path, { 'left.txt': 'l' });
    expect(await refusal(mergeWorktree(worktreeContext, worktree))).toMatchObject({
      type: 'uncommitted',
      details: { untracked: ['left.txt'], changed: [] },
    });
    rmSync(join(worktree.path, 'left.txt'));
    sh(worktree.path, 'switch', '-q', '--detach');
    commit(worktree.path, 'detached', { 'd.txt': 'd' });
    expect(await refusal(mergeWorktree(worktreeContext, worktree))).toMatchObject({ type: 'other_head' });
    sh(worktree.path, 'switch', '-q', worktree.branch);
    commit(main, 'ours', { 'a.txt': 'ours\n' });
    expect(() => sh(worktree.path, 'merge', 'login')).toThrow();
    expect(await refusal(mergeWorktree(worktreeContext, worktree))).toMatchObject({ type: 'unfinished' });
  });

  it('BIND-19 refuses a worktree with git attributes that are not committed, ignored or not', async () => {
    const { worktreeContext, worktree } = await withWork({ '.gitignore': 'hidden/.git*\n' });
    for (const path of ['.gitattributes', 'hidden/.gitattributes']) {
      write(worktree.path, { [path]: '* ident\n' });
      const leaving = mergeWorktree(worktreeContext, worktree, { untracked: 'leave' });
      expect(await refusal(leaving)).toMatchObject({
        type: 'own_attributes',
        details: { attributes: [path] },
      });
      rmSync(join(worktree.path, path));
    }
    expect(await mergeWorktree(worktreeContext, worktree)).toMatchObject({ already: false });
  });

  it('CMD-13 refuses while the feature branch has an unfinished rebase or merge', async () => {
    const { main, worktreeContext, worktree } = await withWork();
    commit(main, 'ours', { 'a.txt': 'ours\n' });
    sh(main, 'switch', '-q', 'main');
    commit(main, 'on main', { 'a.txt': 'main\n' });
    sh(main, 'switch', '-q', 'login');
    for (const start of ['rebase', 'merge']) {
      expect(() => sh(main, start, 'main')).toThrow();
      expect(await refusal(mergeWorktree(worktreeContext, worktree))).toMatchObject({ type: 'unfinished' });
      sh(main, start, '--abort');
    }
  });

  it('VAR-1 only one variant of a phase is merged, and an alternative is not', async () => {
    const { worktreeContext, ledger } = await freshRepository();
    const variants = [];
    for (const letter of ['A', 'B', 'C']) {
      const worktree = await openWorktree(worktreeContext, loginPhase('1', letter));
      commit(worktree.path, letter, { [letter]: letter });
      variants.push(worktree);
    }
    const [a, b, c] = variants;
    if (!a || !b || !c) throw new Error('three were made');
    await ledger.worktrees.change(
      worktreeContext.projectId,
      b.branch,
      { state: 'alternative' },
      worktreeContext.by,
    );
    expect(await refusal(mergeWorktree(worktreeContext, { ...b, state: 'alternative' }))).toMatchObject({
      type: 'not_main',
    });
    await mergeWorktree(worktreeContext, a);
    expect(await refusal(mergeWorktree(worktreeContext, c))).toMatchObject({ type: 'other_variant_merged' });
    expect(await refusal(findWorktree(worktreeContext, { phase: '2', variant: null }))).toMatchObject({
      type: 'not_found',
      suggestion: expect.stringContaining('login--implementation-1-A'),
    });
    expect(await findWorktree(worktreeContext, { phase: '1', variant: 'c' })).toEqual(c);
  });

  longTest(
    'five phases merged at once are merged one after the other',
    async () => {
      const { main, worktreeContext } = await freshRepository();
      const worktrees = [];
      for (const number of ['1', '2', '3', '4', '5']) {
        const worktree = await openWorktree(worktreeContext, loginPhase(number));
        commit(worktree.path, number, { [`${number}.txt`]: number });
        worktrees.push(worktree);
      }
      await Promise.all(worktrees.map((worktree) => mergeWorktree(worktreeContext, worktree)));
      for (const { phase: number } of worktrees) expect(existsSync(join(main, `${number}.txt`))).toBe(true);
      expect(sh(main, 'status', '--porcelain')).toBe('');
    },
    240_000,
  );
});
