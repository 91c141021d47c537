import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cloneId, readCloneId, renameCopy } from '../../src/git/clone.ts';
import { freshFolder } from '../support/fermata.ts';

it('TEAM-1 a clone gets one name, and leaves nothing else behind', () => {
  const folder = freshFolder();
  const id = cloneId(folder);
  expect(cloneId(folder)).toBe(id);
  expect(readdirSync(folder)).toEqual(['fermata-clone']);
});

it('TEAM-1 a file without a name in it gets one', () => {
  const folder = freshFolder();
  writeFileSync(join(folder, 'fermata-clone'), 'nonsense');
  const id = cloneId(folder);
  expect(readCloneId(folder)).toBe(id);
});

it('TEAM-1 a copy gets the same new name from everyone who notices it', () => {
  const folder = freshFolder();
  const id = cloneId(folder);
  const own = renameCopy(folder, id);
  expect(own).not.toBe(id);
  expect([renameCopy(folder, id), readCloneId(folder)]).toEqual([own, own]);
});
