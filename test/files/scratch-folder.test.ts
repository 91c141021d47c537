import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { inScratchFolder } from '../../src/files/scratch-folder.ts';
import { freshFolder } from '../support/fermata.ts';

test('RUN-2 a temporary folder is removed, also if its process was killed a while ago', async () => {
  const parent = freshFolder();
  for (const name of ['fermata-x-killed', 'other']) mkdirSync(join(parent, name));
  writeFileSync(join(parent, 'fermata-x-file'), '');
  const used = await inScratchFolder(parent, 'fermata-x-', async (folder) => {
    writeFileSync(join(folder, 'index'), '');
    return folder;
  });
  expect(basename(used)).toMatch(/^fermata-x-/);
  expect(existsSync(used)).toBe(false);
  expect(readdirSync(parent).sort()).toEqual(['fermata-x-file', 'fermata-x-killed', 'other']);

  vi.useFakeTimers({ now: Date.now() + 3 * 60 * 60_000, toFake: ['Date'] });
  try {
    utimesSync(join(parent, 'fermata-x-killed'), 0, 0);
    await inScratchFolder(parent, 'fermata-x-', async () => undefined);
  } finally {
    vi.useRealTimers();
  }
  expect(readdirSync(parent).sort()).toEqual(['fermata-x-file', 'other']);
});
