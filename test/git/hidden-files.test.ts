import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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
