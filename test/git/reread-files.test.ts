import { createHash } from 'node:crypto';
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { commitAll } from '../../src/git/commit.ts';
import { checkoutStatus } from '../../src/git/status.ts';
import { mergeWorktree } from '../../src/work/worktrees/merge-worktree.ts';
import { openWorktree } from '../../src/work/worktrees/open-worktree.ts';
import { refusal } from '../ledger/support/ask.ts';
import { commit, freshRepository, loginPhase, sh, write } from '../work/support/repository.ts';

describe.each(['--assume-unchanged', '--skip-worktree'])('a file that git ignores because of %s', (flag) => {
  async function hidden() {
    const { worktreeContext } = await freshRepository();
    const worktree = await openWorktree(worktreeContext, loginPhase('1'));
    const { path } = worktree;
    commit(path, 'evil', { 'b.txt': 'evil\n' });
    write(path, { 'b.txt': 'good\n' });
    sh(path, 'update-index', flag, 'b.txt');
    expect(sh(path, 'status', '--porcelain')).toBe('');
    return { worktreeContext, worktree, path };
  }

  it('BIND-6 counts as changed, so that people test what is merged', async () => {
    const { worktreeContext, worktree, path } = await hidden();
    expect(await checkoutStatus(path)).toMatchObject({ changed: ['b.txt'], untracked: [] });
    expect(sh(path, 'status', '--porcelain')).toBe('');
    expect(await refusal(mergeWorktree(worktreeContext, worktree))).toMatchObject({ type: 'uncommitted' });
  });

  it('BIND-6 is committed as it is on disk', async () => {
    const { path } = await hidden();
    expect(await commitAll(path, 'work')).toBe(true);
    expect(sh(path, 'show', 'HEAD:b.txt')).toBe('good');
  });

  it('BIND-6 counts as deleted only if it was not left out by a sparse checkout', async () => {
    const { path } = await hidden();
    rmSync(join(path, 'b.txt'));
    const changed = flag === '--assume-unchanged' ? ['b.txt'] : [];
    expect(await checkoutStatus(path)).toMatchObject({ changed, untracked: [] });
  });
});

/** Replaces an id in the index of a checkout, as git itself never would. */
function replaceInIndex(folder: string, from: string, to: string): void {
  const path = sh(folder, 'rev-parse', '--path-format=absolute', '--git-path', 'index');
  const content = readFileSync(path).subarray(0, -20);
  content.set(Buffer.from(to, 'hex'), content.indexOf(Buffer.from(from, 'hex')));
  writeFileSync(path, Buffer.concat([content, createHash('sha1').update(content).digest()]));
}

/** Git reads a file again if it is not older than the index. */
function writeOld(folder: string, text: string): void {
  write(folder, { 'b.txt': text });
  utimesSync(join(folder, 'b.txt'), 1000, 1000);
}

describe('an index that somebody forged', () => {
  /** `good` is in the folder and `evil` is committed, but git sees or commits no difference. */
  async function forged(how: 'times' | 'trees') {
    const { worktreeContext } = await freshRepository();
    const worktree = await openWorktree(worktreeContext, loginPhase('1'));
    const { path } = worktree;
    commit(path, 'evil', { 'b.txt': 'evil\n' });
    const evil = sh(path, 'rev-parse', 'HEAD:b.txt');
    const trees = sh(path, 'rev-parse', 'HEAD^{tree}');
    writeOld(path, 'good\n');
    sh(path, 'add', 'b.txt');
    const good = sh(path, 'rev-parse', ':b.txt');
    if (how === 'times') {
      replaceInIndex(path, good, evil);
      expect(sh(path, 'status', '--porcelain')).toBe('');
    } else {
      // The index remembers the tree of each folder, so that git need not look at the entries.
      replaceInIndex(path, sh(path, 'write-tree'), trees);
      expect(sh(path, 'write-tree')).toBe(trees);
    }
    return { worktreeContext, worktree, path };
  }

  it.each(['times', 'trees'] as const)('BIND-19 by its %s hides nothing from what is merged', async (how) => {
    const { worktreeContext, worktree, path } = await forged(how);
    expect(await checkoutStatus(path)).toMatchObject({ changed: ['b.txt'], untracked: [] });
    expect(await refusal(mergeWorktree(worktreeContext, worktree))).toMatchObject({ type: 'uncommitted' });
  });

  it.each(['times', 'trees'] as const)(
    'BIND-19 by its %s changes nothing in what is committed',
    async (how) => {
      const { path } = await forged(how);
      expect(await commitAll(path, 'work')).toBe(true);
      expect(sh(path, 'show', 'HEAD:b.txt')).toBe('good');
      expect(sh(path, 'rev-parse', 'HEAD:b.txt')).toBe(sh(path, 'hash-object', 'b.txt'));
    },
  );

  it('BIND-19 is found out if it is forged again after it was read', async () => {
    const { path } = await forged('times');
    await commitAll(path, 'work');
    const good = sh(path, 'rev-parse', 'HEAD:b.txt');
    writeOld(path, 'other\n');
    sh(path, 'add', 'b.txt');
    replaceInIndex(path, sh(path, 'rev-parse', ':b.txt'), good);
    expect(await checkoutStatus(path)).toMatchObject({ changed: ['b.txt'] });
  });

  it('BIND-19 is not believed although the repository’s configuration says that times do not matter', async () => {
    const { worktreeContext } = await freshRepository();
    const { path } = await openWorktree(worktreeContext, loginPhase('1'));
    for (const setting of ['core.trustctime=false', 'core.checkStat=minimal'])
      sh(path, 'config', ...setting.split('='));
    writeOld(path, 'evil\n');
    await commitAll(path, 'work');
    const changed = () => Math.floor(statSync(join(path, 'b.txt')).ctimeMs / 1000);
    const before = changed();
    const rewrite = () => {
      writeOld(path, 'good\n');
      return changed() > before;
    };
    await vi.waitUntil(rewrite, { timeout: 2000, interval: 20 });
    expect(sh(path, 'status', '--porcelain')).toBe('');
    expect(await checkoutStatus(path)).toMatchObject({ changed: ['b.txt'] });
  });
});
