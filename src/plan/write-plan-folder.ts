import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isDeadProcess } from '../agents/run/lease.ts';
import { flushFolder } from '../files/write-at-once.ts';
import { crashPoint } from '../ledger/crash-point.ts';
import type { FileBlock } from './file-blocks.ts';
import { hasEntries, isFolder, realFolder, refuseUsedFolder } from './plan-folder.ts';

export type NewFile = Pick<FileBlock, 'name' | 'content'>;

/** What we create next to a plan's folder: `.NAME.WHAT-PROCESS-…`. If that process no longer exists, it is left over. */
type Beside = 'staging' | 'ready';

/**
 * Writes all of a plan's files atomically, or none. Safe to repeat: if killed at any point, the old or the new plan is in
 * place, or the next call completes the move. With `replace`, another plan is kept as a backup, whose path is returned.
 */
export function writePlanFolder(
  target: string,
  files: readonly NewFile[],
  replace = false,
): string | undefined {
  const folder = realFolder(target);
  mkdirSync(dirname(folder), { recursive: true });
  if (replace) finishMove(folder);
  removeLeftOvers(folder);
  if (isWritten(folder, files)) return undefined;
  refuseUsedFolder(folder, replace);
  const tag = `${process.pid}-${randomBytes(4).toString('hex')}`;
  const staging = beside(folder, 'staging', tag);
  const ready = beside(folder, 'ready', tag);
  try {
    mkdirSync(staging);
    writeFiles(staging, files);
    crashPoint('plan.staged');
    renameSync(staging, ready);
    flushFolder(dirname(folder));
    crashPoint('plan.ready');
    const backup = putInPlace(ready, folder, replace);
    flushFolder(dirname(folder));
    crashPoint('plan.placed');
    return backup;
  } catch (error) {
    for (const left of [staging, ready]) rmSync(left, { recursive: true, force: true });
    throw error;
  }
}

/** Whether a folder has these files and no others. */
function isWritten(folder: string, files: readonly NewFile[]): boolean {
  if (!isFolder(folder)) return false;
  const found = readdirSync(folder, { recursive: true, withFileTypes: true });
  return (
    found.filter((entry) => !entry.isDirectory()).length === files.length &&
    files.every(({ name, content }) => {
      const path = join(folder, name);
      return isFile(path) && readFileSync(path, 'utf8') === content;
    })
  );
}

const isFile = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/** Moves a plan into place whose writer died after it had moved the old one away. */
export function finishMove(folder: string): void {
  if (existsSync(folder) || !isFolder(dirname(folder))) return;
  const ready = leftOvers(folder, ['ready']).at(-1);
  if (ready) renameSync(ready, folder);
}

export function writeFiles(folder: string, files: readonly NewFile[]): void {
  const folders = new Set([folder]);
  for (const { name, content } of files) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    folders.add(dirname(path));
    const file = openSync(path, 'wx');
    try {
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    crashPoint('plan.file');
  }
  for (const each of folders) flushFolder(each);
}

function putInPlace(ready: string, folder: string, replace: boolean): string | undefined {
  refuseUsedFolder(folder, replace);
  const backup = hasEntries(folder) ? moveAway(folder) : undefined;
  crashPoint('plan.between');
  try {
    renameSync(ready, folder);
    return backup;
  } catch (error) {
    if (backup && !existsSync(folder)) renameSync(backup, folder);
    throw error;
  }
}

function moveAway(folder: string): string {
  const at = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const first = join(dirname(folder), `.${basename(folder)}.backup-${at}`);
  let backup = first;
  for (let n = 2; lstatSync(backup, { throwIfNoEntry: false }); n++) backup = `${first}-${n}`;
  renameSync(folder, backup);
  return backup;
}

function removeLeftOvers(folder: string): void {
  for (const left of leftOvers(folder, ['staging', 'ready'])) rmSync(left, { recursive: true, force: true });
}

function leftOvers(folder: string, kinds: Beside[]): string[] {
  const prefixes = kinds.map((kind) => basename(beside(folder, kind)));
  return readdirSync(dirname(folder))
    .filter((name) => prefixes.some((prefix) => name.startsWith(prefix) && isLeft(name.slice(prefix.length))))
    .sort()
    .map((name) => join(dirname(folder), name));
}

function isLeft(rest: string): boolean {
  const pid = /^(\d+)-\w+$/.exec(rest)?.[1];
  return pid !== undefined && isDeadProcess(Number(pid));
}

function beside(folder: string, kind: Beside, rest = ''): string {
  return join(dirname(folder), `.${basename(folder)}.${kind}-${rest}`);
}
