import { basename, dirname, join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { writeAtOnce } from '../../src/files/write-at-once.ts';
import { writePlanFolder } from '../../src/plan/write-plan-folder.ts';
import { freshFolder } from '../support/fermata.ts';

/** What the disk was asked to do, in this order. */
const disk = vi.hoisted(() => ({ log: [] as string[], names: new Map<number, string>() }));
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const openSync = (...args: Parameters<typeof fs.openSync>) => {
    const file = fs.openSync(...args);
    disk.names.set(file, String(args[0]));
    return file;
  };
  const fsyncSync = (file: number) => {
    disk.log.push(`flush ${basename(disk.names.get(file) ?? '?')}`);
    fs.fsyncSync(file);
  };
  const renameSync = (from: string, to: string) => {
    disk.log.push(`rename to ${basename(to)}`);
    fs.renameSync(from, to);
  };
  return { ...fs, openSync, fsyncSync, renameSync };
});
beforeEach(() => {
  disk.log.length = 0;
});

test('a replaced file is flushed before it gets its name, and its folder after that', () => {
  const path = join(freshFolder(), 'file');
  writeAtOnce(path, 'text');
  expect(disk.log).toEqual([
    expect.stringMatching(/^flush file\..+\.tmp$/),
    'rename to file',
    `flush ${basename(dirname(path))}`,
  ]);
});

test('so are the files of a plan and the folders that hold them', () => {
  const folder = join(freshFolder(), 'shop');
  writePlanFolder(folder, [{ name: 'MASTER_PLAN.md', content: '# Shop\n' }]);
  const parent = `flush ${basename(dirname(folder))}`;
  expect(disk.log).toEqual([
    'flush MASTER_PLAN.md',
    expect.stringMatching(/^flush \.shop\.staging-/),
    expect.stringMatching(/^rename to \.shop\.ready-/),
    parent,
    'rename to shop',
    parent,
  ]);
});
