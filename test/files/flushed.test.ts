import fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { writeAtOnce } from '../../src/files/write-at-once.ts';
import { writePlanFolder } from '../../src/plan/write-plan-folder.ts';
import { freshFolder } from '../support/fermata.ts';
import { replaceFs } from '../support/replaced-fs.ts';

/** Records the calls to the disk, in order. */
function watchDisk(): string[] {
  const log: string[] = [];
  const names = new Map<number, string>();
  const { openSync, fsyncSync, renameSync } = fs;
  replaceFs({
    openSync: (...args) => {
      const file = openSync(...args);
      names.set(file, String(args[0]));
      return file;
    },
    fsyncSync: (file) => {
      log.push(`flush ${basename(names.get(file) ?? '?')}`);
      fsyncSync(file);
    },
    renameSync: (from, to) => {
      log.push(`rename to ${basename(String(to))}`);
      renameSync(from, to);
    },
  });
  return log;
}

test('a replaced file is flushed before it gets its name, and its folder after that', () => {
  const path = join(freshFolder(), 'file');
  const log = watchDisk();
  writeAtOnce(path, 'text');
  expect(log).toEqual([
    expect.stringMatching(/^flush file\..+\.tmp$/),
    'rename to file',
    `flush ${basename(dirname(path))}`,
  ]);
});

test('the files and folders of a plan are flushed the same way', () => {
  const folder = join(freshFolder(), 'shop');
  const log = watchDisk();
  writePlanFolder(folder, [{ name: 'MASTER_PLAN.md', content: '# Shop\n' }]);
  const parent = `flush ${basename(dirname(folder))}`;
  expect(log).toEqual([
    'flush MASTER_PLAN.md',
    expect.stringMatching(/^flush \.shop\.staging-/),
    expect.stringMatching(/^rename to \.shop\.ready-/),
    parent,
    'rename to shop',
    parent,
  ]);
});
