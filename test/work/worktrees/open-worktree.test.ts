import { existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findHere } from '../../../src/work/worktrees/here.ts';
import { openWorktree } from '../../../src/work/worktrees/open-worktree.ts';
import { refusal } from '../../ledger/support/ask.ts';
import { commit, freshRepository, loginPhase, openPlace, sh, write } from '../support/repository.ts';

describe('the worktree of a phase', () => {
  it('VAR-1 VAR-2 is outside the main checkout, on its own branch, and recorded', async () => {
    const { main, home, worktreeContext, ledger } = await freshRepository();
    const made = await openWorktree(worktreeContext, loginPhase('1', 'a'));
    expect(made).toMatchObject({
      branch: 'login--implementation-1-A',
      featureBranch: 'login',
      plan: 'plans/login',
      baseCommit: sh(main, 'rev-parse', 'login'),
      state: 'active',
    });
    expect(made.path.startsWith(`${realpathSync(home)}/projects/`)).toBe(true);
    expect(readFileSync(join(made.path, 'dir with space/ü.txt'), 'utf8')).toBe('x\n');
    expect(sh(made.path, 'branch', '--show-current')).toBe('login--implementation-1-A');
    expect(sh(main, 'status', '--porcelain')).toBe('');
    expect(await ledger.worktrees.list(worktreeContext.projectId)).toEqual([made]);
  });

  it('VAR-1 is reused if it exists, with the work in it', async () => {
    const { worktreeContext } = await freshRepository();
    const made = await openWorktree(worktreeContext, loginPhase('1'));
    commit(made.path, 'work', { 'b.txt': 'b' });
    write(made.path, { 'a.txt': 'dirty', new: 'n' });
    expect(await openWorktree(worktreeContext, loginPhase('1'))).toEqual(made);
    expect(readFileSync(join(made.path, 'a.txt'), 'utf8')).toBe('dirty');
  });

  it('its record is found from any folder in it, even if it was moved or the ledger does not know it', async () => {
    const { main, home, worktreeContext, from } = await freshRepository();
    const made = await openWorktree(worktreeContext, loginPhase('2', 'B'));
    expect(await findHere(from(join(made.path, 'dir with space')))).toEqual({
      record: made,
      featureBranch: 'login',
      isFeature: false,
    });
    expect(await findHere(worktreeContext)).toEqual({
      record: undefined,
      featureBranch: 'login',
      isFeature: true,
    });
    const elsewhere = join(home, 'elsewhere');
    sh(main, 'worktree', 'move', made.path, elsewhere);
    expect((await findHere(from(elsewhere))).record).toEqual(made);
    const other = await openPlace(main, join(home, 'other'));
    expect(await findHere(other.from(elsewhere))).toEqual({
      record: undefined,
      featureBranch: 'login',
      isFeature: false,
      stem: 'login',
    });
    sh(elsewhere, 'switch', '-q', '--detach');
    expect(await findHere(other.from(elsewhere))).toMatchObject({ featureBranch: undefined });
  });

  it('is restored with what was staged in it if its folder was deleted by hand', async () => {
    const { worktreeContext } = await freshRepository();
    const made = await openWorktree(worktreeContext, loginPhase('1'));
    write(made.path, { 'staged.txt': 'only in the index' });
    sh(made.path, 'add', 'staged.txt');
    rmSync(made.path, { recursive: true });
    expect(await openWorktree(worktreeContext, loginPhase('1'))).toEqual(made);
    expect(sh(made.path, 'status', '--porcelain')).toBe('A  staged.txt');
    expect(readFileSync(join(made.path, 'staged.txt'), 'utf8')).toBe('only in the index');
  });

  it('is used if it is locked and exists, and refused if it is locked and missing', async () => {
    const { main, worktreeContext } = await freshRepository();
    const made = await openWorktree(worktreeContext, loginPhase('1'));
    sh(main, 'worktree', 'lock', '--reason', 'on a stick', made.path);
    expect(await openWorktree(worktreeContext, loginPhase('1'))).toEqual(made);
    rmSync(made.path, { recursive: true });
    expect(await refusal(openWorktree(worktreeContext, loginPhase('1')))).toMatchObject({
      type: 'locked',
      message: expect.stringContaining('on a stick'),
    });
  });

  it('is completed if git did not finish it', async () => {
    const { main, worktreeContext } = await freshRepository();
    const made = await openWorktree(worktreeContext, loginPhase('1'));
    const admin = sh(made.path, 'rev-parse', '--absolute-git-dir');
    writeFileSync(join(admin, 'locked'), 'initializing');
    rmSync(join(admin, 'index'));
    rmSync(join(made.path, 'a.txt'));
    expect(await openWorktree(worktreeContext, loginPhase('1'))).toEqual(made);
    expect(sh(made.path, 'status', '--porcelain')).toBe('');
    expect(sh(main, 'worktree', 'list', '--porcelain')).not.toContain('locked');
  });

  it('a branch that was moved, or whose worktree was removed, is checked out at its current commit', async () => {
    const { main, worktreeContext } = await freshRepository();
    const made = await openWorktree(worktreeContext, loginPhase('1'));
    sh(main, 'worktree', 'remove', made.path);
    const moved = commit(main, 'more on login', { 'c.txt': 'c' });
    sh(main, 'branch', '-f', made.branch, moved);
    const again = await openWorktree(worktreeContext, loginPhase('1'));
    expect(sh(again.path, 'rev-parse', 'HEAD')).toBe(moved);
    expect(again.baseCommit).toBe(made.baseCommit);
  });

  it('a folder in its place that is not a worktree is moved aside, not removed', async () => {
    const { main, home, worktreeContext } = await freshRepository();
    const { path } = await openWorktree(worktreeContext, loginPhase('1'));
    sh(main, 'worktree', 'remove', path);
    write(path, { 'mine.txt': 'mine' });
    await openWorktree(worktreeContext, loginPhase('1'));
    expect(existsSync(join(path, 'mine.txt'))).toBe(false);
    expect(sh(home, 'grep', '--no-index', '-l', '^mine$')).toMatch(/kept\/.+\/mine\.txt$/);
  }, 240_000);

  it('is created in a detached main checkout, in a bare repository and from another worktree', async () => {
    const { main, home, worktreeContext, from } = await freshRepository();
    sh(main, 'switch', '-q', '--detach');
    const one = await openWorktree(worktreeContext, loginPhase('1'));
    expect(existsSync((await openWorktree(from(one.path), loginPhase('2'))).path)).toBe(true);
    const bare = join(home, 'bare.git');
    sh(main, 'clone', '-q', '--bare', main, bare);
    const first = join(home, 'first');
    sh(bare, 'worktree', 'add', '-q', first, 'main');
    const inBare = await openPlace(first, join(home, 'bare-home'));
    expect(existsSync((await openWorktree(inBare.worktreeContext, loginPhase('1'))).path)).toBe(true);
  });

  it('is the same for six processes that open it at once', async () => {
    const { worktreeContext } = await freshRepository();
    const made = await Promise.all(
      [1, 2, 3, 4, 5, 6].map(() => openWorktree(worktreeContext, loginPhase('1'))),
    );
    expect(new Set(made.map(({ id, path }) => `${id} ${path}`)).size).toBe(1);
    expect(sh(made[0]?.path ?? '', 'status', '--porcelain')).toBe('');
  }, 240_000);

  it('refuses a feature branch that does not exist', async () => {
    const { worktreeContext } = await freshRepository();
    const wanted = { ...loginPhase('1'), feature: 'nothing' };
    expect(await refusal(openWorktree(worktreeContext, wanted))).toMatchObject({ type: 'no_feature_branch' });
  });

  it('refuses a branch that a person has checked out in the main checkout', async () => {
    const { main, worktreeContext } = await freshRepository();
    sh(main, 'switch', '-q', '-c', 'login--implementation-1');
    expect(await refusal(openWorktree(worktreeContext, loginPhase('1')))).toMatchObject({
      type: 'checked_out',
    });
  });
});
