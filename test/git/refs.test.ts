import { expect, it } from 'vitest';
import { forksOf } from '../../src/git/refs.ts';
import { commit, freshPlace, sh } from '../work/support/repository.ts';

it('BIND-7 finds the merge bases of several branches at once, even if there is none or more than one', async () => {
  const folder = freshPlace();
  sh(folder, 'init', '-q', '-b', 'main');
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
