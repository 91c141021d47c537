import { join } from 'node:path';
import { expect, it } from 'vitest';
import { branchTip, forksOf } from '../../src/git/refs.ts';
import { commit, freshPlace, initRepository, sh } from '../work/support/repository.ts';

it('BIND-7 finds the merge bases of several branches at once, even if there is none or more than one', async () => {
  const folder = freshPlace();
  initRepository(folder);
  const base = commit(folder, 'first', { 'a.txt': 'a\n' });
  sh(folder, 'switch', '-q', '-c', 'one');
  const one = commit(folder, 'one');
  sh(folder, 'switch', '-q', '-c', 'two', 'main');
  const two = commit(folder, 'two');
  sh(folder, 'switch', '-q', '--orphan', 'alone');
  const alone = commit(folder, 'alone');
  expect(await forksOf(folder, 'refs/heads/one', ['refs/heads/two', alone, base])).toEqual([
    { tip: one, other: two, base },
    { tip: one, other: alone, base: undefined },
    { tip: one, other: base, base },
  ]);
  const crossed = ['one', 'two'].map((branch) => {
    sh(folder, 'switch', '-q', branch);
    sh(folder, 'merge', '-q', '--no-edit', branch === 'one' ? two : one);
    return sh(folder, 'rev-parse', 'HEAD');
  });
  const [here = '', there = ''] = crossed;
  expect(await forksOf(folder, here, [there, base])).toEqual([
    { tip: here, other: there, base: sh(folder, 'merge-base', here, there) },
    { tip: here, other: base, base },
  ]);
  expect(await forksOf(folder, one, [base, 'refs/heads/none'])).toBeUndefined();
});

it('BIND-7 finds the commit of a branch however git stores it, and follows only names of branches', async () => {
  const folder = freshPlace();
  initRepository(folder);
  const first = commit(folder, 'first');
  sh(folder, 'branch', 'feat/shop');
  sh(folder, 'symbolic-ref', 'refs/heads/other', 'refs/heads/main');
  sh(folder, 'tag', 'v1');
  const worktree = join(folder, 'linked');
  sh(folder, 'worktree', 'add', '-q', '-b', 'linked', worktree);
  const second = commit(worktree, 'second');
  const tips = () =>
    Promise.all(['main', 'feat/shop', 'other', 'linked'].map((name) => branchTip(worktree, name)));
  expect(await tips()).toEqual([first, first, first, second]);
  sh(folder, 'pack-refs', '--all');
  expect(await tips()).toEqual([first, first, first, second]);
  const third = commit(folder, 'third');
  expect(await tips()).toEqual([third, first, third, second]);
  sh(folder, 'branch', '-D', 'feat/shop');
  for (const name of ['feat', 'feat/shop', '../tags/v1', 'none']) {
    expect(await branchTip(folder, name), name).toBeUndefined();
  }
});
