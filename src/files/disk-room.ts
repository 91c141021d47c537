import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { diskFull } from '../schema/disk-full.ts';

/** With less free space nothing works, because git, the ledger and an agent each need some for their own files. */
const MIN_BYTES = 512 * 1024;

/** The first of these folders, existing or not, whose disk is full. */
export function folderWithoutRoom(paths: readonly string[]): string | undefined {
  return paths.map(nearest).find((folder) => {
    const { bavail, bsize, files, ffree } = statfsSync(folder);
    return bavail * bsize < MIN_BYTES || (files > 0 && ffree === 0);
  });
}

/** Throws before an agent starts on a full disk, because the failure would look like the agent's. */
export function requireRoom(paths: readonly string[]): void {
  const folder = folderWithoutRoom(paths);
  if (folder !== undefined) throw diskFull(`no space left in ${folder}`);
}

function nearest(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : nearest(dirname(path));
}
