import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diffBase } from '../../src/git/diff-base.ts';
import { refusal } from '../ledger/support/ask.ts';
import { commit, freshPlace, freshRepository, sh, write } from '../work/support/repository.ts';

const lines = (count: number) => Array.from({ length: count }, (_, n) => `line ${n}\n`).join('');

describe('the difference to the base', () => {
  it('CMD-12 counts lines, and names binary, renamed and untracked files, committed or not', async () => {
    const { main } = await freshRepository();
    commit(main, 'work', {
      'a.txt': 'one\n2\nthree\nfour\n',
      'long.txt': lines(50),
      'pic.bin': Buffer.from([0, 1, 2, 255]),
    });
    sh(main, 'mv', 'dir with space/ü.txt', 'dir with space/ö\n.txt');
    write(main, { 'new "1".txt': lines(3), 'x.log': 'ignored', 'long.txt': lines(40) });
    const { base, head, files, untracked, insertions, deletions, diff, truncated } = await diffBase(
      main,
      undefined,
    );
    expect(base).toMatchObject({ branch: 'main', mergeBase: sh(main, 'rev-parse', 'main') });
    expect(head).toEqual({ branch: 'login', commit: sh(main, 'rev-parse', 'HEAD') });
    const plain = { change: 'added', deletions: 0, binary: false };
    expect(files).toEqual([
      { path: 'a.txt', change: 'modified', insertions: 2, deletions: 1, binary: false },
      {
        path: 'dir with space/ö\n.txt',
        from: 'dir with space/ü.txt',
        change: 'renamed',
        insertions: 0,
        deletions: 0,
        binary: false,
      },
      { path: 'long.txt', ...plain, insertions: 40 },
      { path: 'new "1".txt', ...plain, insertions: 3 },
      { path: 'pic.bin', change: 'added', insertions: null, deletions: null, binary: true },
    ]);
    expect(untracked).toEqual(['new "1".txt']);
    expect({ insertions, deletions, truncated }).toEqual({ insertions: 45, deletions: 1, truncated: false });
    expect(diff).toContain('+line 2\n');
    expect(sh(main, 'status', '--porcelain')).toContain('?? "new \\"1\\".txt"'); // the index is unchanged
  });

  it('CMD-12 BIND-11 shows text files that the work marks as binary, but no real binary file', async () => {
    const { main } = await freshRepository();
    commit(main, 'work', {
      '.gitattributes': '*.ts -diff\nlink -diff\n*.bin -diff\n',
      'evil.ts': 'steal()\n',
      'pic.bin': Buffer.from([0, 1, 2, 255]),
    });
    write(main, { 'new.ts': 'more()\n' });
    symlinkSync('nowhere', join(main, 'link'));
    const { diff } = await diffBase(main, undefined);
    expect(diff).toContain('+steal()');
    expect(diff).toContain('+more()');
    expect(diff).toContain('+nowhere');
    expect(diff.match(/^diff --git a\/pic\.bin/gm)).toHaveLength(1);
  });

  it('CMD-12 is against the merge base with the feature branch, whatever was done there since', async () => {
    const { main } = await freshRepository();
    sh(main, 'switch', '-q', '-c', 'login--implementation-1');
    commit(main, 'mine', { mine: '1\n' });
    sh(main, 'switch', '-q', 'login');
    commit(main, 'theirs', { theirs: '1\n' });
    sh(main, 'switch', '-q', 'login--implementation-1');
    const { base, files } = await diffBase(main, 'login');
    expect(base.branch).toBe('login');
    expect(files.map(({ path }) => path)).toEqual(['mine']);
  });

  it('CMD-12 is not affected by the person’s git settings', async () => {
    const { main } = await freshRepository();
    const settings = {
      'diff.external': 'false',
      'diff.noprefix': 'true',
      'color.ui': 'always',
      'diff.renames': 'false',
      'diff.relative': 'true',
      'core.pager': 'false',
      'status.showUntrackedFiles': 'no',
    };
    for (const [key, value] of Object.entries(settings)) sh(main, 'config', key, value);
    sh(main, 'mv', 'a.txt', 'b.txt');
    write(main, { 'new.txt': 'n\n' });
    const { files, diff } = await diffBase(main, undefined);
    expect(files.map(({ path, change }) => [path, change])).toEqual([
      ['b.txt', 'renamed'],
      ['new.txt', 'added'],
    ]);
    expect(diff).not.toContain('\u001b');
  });

  it('CMD-12 finds the remote’s default branch, and says what to do if there is no base', async () => {
    const folder = freshPlace();
    const [origin, clone] = [join(folder, 'origin'), join(folder, 'clone')];
    mkdirSync(origin);
    sh(origin, 'init', '-q', '-b', 'develop');
    expect(await refusal(diffBase(origin, undefined))).toMatchObject({ type: 'no_commit' });
    commit(origin, 'first', { a: '1' });
    commit(origin, 'second', { b: '1' });
    expect(await refusal(diffBase(origin, undefined))).toMatchObject({ type: 'no_base' });
    sh(folder, 'clone', '-q', '--depth', '1', `file://${origin}`, clone);
    sh(clone, 'switch', '-q', '-c', 'login');
    sh(clone, 'branch', '-q', '-D', 'develop');
    commit(clone, 'work', { c: '1' });
    const { base, files } = await diffBase(clone, undefined);
    expect(base.branch).toBe('origin/develop');
    expect(files.map(({ path }) => path)).toEqual(['c']);
  });

  it('CMD-12 is against the base itself if there is no common history, and is refused before the first commit', async () => {
    const { main } = await freshRepository();
    sh(main, 'switch', '-q', '--orphan', 'other');
    expect(await refusal(diffBase(main, undefined))).toMatchObject({ type: 'no_commit' });
    commit(main, 'other', { 'a.txt': 'other\n' });
    const { base, files } = await diffBase(main, undefined);
    expect(base.mergeBase).toBeNull();
    expect(files.map(({ path, change }) => [path, change])).toEqual([
      ['.gitignore', 'deleted'],
      ['a.txt', 'modified'],
      ['dir with space/ü.txt', 'deleted'],
    ]);
  });

  it('CMD-12 truncates a very long diff and says so; it includes links and modes', async () => {
    const { main } = await freshRepository();
    write(main, { 'big.txt': 'x'.repeat(99).concat('\n').repeat(20_000) });
    symlinkSync('a.txt', join(main, 'link'));
    chmodSync(join(main, 'a.txt'), 0o755);
    const { files, diff, truncated } = await diffBase(main, undefined);
    expect({ truncated, length: diff.length }).toEqual({ truncated: true, length: 1024 * 1024 });
    expect(files).toMatchObject([
      { path: 'a.txt', change: 'modified', insertions: 0 },
      { path: 'big.txt', insertions: 20_000 },
      { path: 'link', insertions: 1 },
    ]);
  });
});
