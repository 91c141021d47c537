import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readStatus } from '../../src/git/status.ts';
import { commit, freshPlace, sh, write } from '../work/support/repository.ts';

it('RUN-1 the status has every kind of change under its own name, and what is checked out', async () => {
  const folder = freshPlace();
  sh(folder, 'init', '-q', '-b', 'grün');
  expect(await readStatus(folder)).toEqual({ commit: undefined, branch: 'grün', entries: [], ignored: [] });
  const files = { 'a b.txt': 'a\n', 'gone.txt': 'x\n', 'both.txt': 'one\n', 'staged.txt': 'x\n' };
  const base = commit(folder, 'first', files);
  sh(folder, 'switch', '-q', '-c', 'other');
  commit(folder, 'theirs', { 'both.txt': 'two\n' });
  sh(folder, 'switch', '-q', '--detach', base);
  const head = commit(folder, 'ours', { 'both.txt': 'three\n' });
  expect(() => sh(folder, 'merge', 'other')).toThrow();
  write(folder, {
    'a b.txt': 'changed\n',
    'staged.txt': 'staged\n',
    'new ü.txt': '',
    '# x': '',
    'x.log': '',
  });
  write(folder, { '.git/info/exclude': '*.log\n' });
  sh(folder, 'add', 'staged.txt');
  rmSync(join(folder, 'gone.txt'));
  mkdirSync(join(folder, 'inside'));
  sh(join(folder, 'inside'), 'init', '-q');
  commit(join(folder, 'inside'), 'inside');
  const { entries, ...at } = await readStatus(folder, { withIgnored: true });
  expect(at).toEqual({ commit: head, branch: undefined, ignored: ['x.log'] });
  const told = entries.map(({ path, staged, unstaged }) => [`${staged}${unstaged}`, path]);
  expect(told.sort()).toEqual(
    [
      [' D', 'gone.txt'],
      [' M', 'a b.txt'],
      ['??', '# x'],
      ['??', 'inside/'],
      ['??', Buffer.from('new ü.txt').toString('latin1')],
      ['M ', 'staged.txt'],
      ['UU', 'both.txt'],
    ].sort(),
  );
});
