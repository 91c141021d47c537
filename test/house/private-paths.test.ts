import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
// Paths that reveal nothing about the machine.
const COMMON = ['/home', '/Users', '/tmp', '/var/tmp', tmpdir()];

describe('no file reveals where it was written', () => {
  it('names neither the repository’s folder nor the home folder', ({ skip }) => {
    if (!existsSync(join(ROOT, '.git'))) skip('this is no git checkout, so nobody knows what is committed');
    const folders = [ROOT, dirname(ROOT), homedir()].filter(
      (path) => path.length >= 4 && !COMMON.includes(path),
    );
    const found = committedFiles().flatMap((file) =>
      mentions(readFileSync(join(ROOT, file), 'latin1'), folders, file),
    );
    expect(found, 'write a relative path, or make one up').toEqual([]);
  });

  it('a path counts only as a whole', () => {
    const folders = ['/plant'];
    expect(mentions('a\nsee "/plant/main"', folders, 'f')).toEqual(['f:2 names /plant']);
    expect(mentions('src/plant/x.ts, /plantation, ../plant, **/plant', folders, 'f')).toEqual([]);
  });
});

function mentions(text: string, folders: string[], file: string): string[] {
  return folders.flatMap((folder) => {
    const escaped = folder.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const found = new RegExp(`(?<![\\w./*}-])${escaped}(?![\\w-])`).exec(text);
    return found ? [`${file}:${text.slice(0, found.index).split('\n').length} names ${folder}`] : [];
  });
}

function committedFiles(): string[] {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', list, { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean);
  return files.filter((file) => statSync(join(ROOT, file), { throwIfNoEntry: false })?.isFile());
}
