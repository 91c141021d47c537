import { existsSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { entryOf, openRealFolder } from '../../src/files/open-inside.ts';
import { freshFolder } from '../support/fermata.ts';
import { write } from '../work/support/repository.ts';

const names = (path: string) => path.split('/').map((name) => Buffer.from(name));

it('opens no folder that a link leads to (BIND-25)', () => {
  const top = freshFolder();
  write(top, { 'a/b/file': '' });
  symlinkSync('a', join(top, 'link'));
  symlinkSync('b', join(top, 'a/link'));
  for (const way of ['link/b', 'a/link', 'a/b/file', 'missing'])
    expect([way, openRealFolder(top, names(way))]).toEqual([way, undefined]);
});

it('still leads to the folder that it opened after its name leads elsewhere (BIND-25)', () => {
  const [top, outside] = [freshFolder(), freshFolder()];
  write(top, { 'a/b/file': '' });
  write(outside, { 'b/file': '' });
  const folder = openRealFolder(top, names('a/b'));
  renameSync(join(top, 'a'), join(top, 'moved'));
  symlinkSync(outside, join(top, 'a'));
  writeFileSync(entryOf(folder?.path ?? Buffer.alloc(0), Buffer.from('new')), '');
  folder?.close();
  expect(existsSync(join(outside, 'b/new'))).toBe(false);
  expect(existsSync(join(top, 'moved/b/new'))).toBe(true);
});
