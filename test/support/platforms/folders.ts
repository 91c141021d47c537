import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** A folder whose path has a blank and a letter outside ASCII. */
export function awkwardFolder(parent: string): string {
  return made(join(parent, 'for you, Jürgen'));
}

/** A link to a folder, as /tmp is on macOS. */
export function linkedFolder(parent: string): string {
  const link = join(parent, 'link');
  symlinkSync(made(join(parent, 'target')), link);
  return link;
}

export interface Mounted {
  folder: string;
  remove(): void;
}

/**
 * A folder on a disk that ignores case: the usual disk if it does, as on macOS, or a new ext4. Otherwise the
 * reason why there is none.
 */
export function folderIgnoringCase(parent: string): Mounted | string {
  const probe = made(join(parent, 'Probe'));
  if (existsSync(join(parent, 'pROBE'))) return { folder: probe, remove: () => undefined };
  if (process.getuid?.() !== 0) return 'only root can mount a disk that ignores case';
  const [image, mountPoint] = [join(parent, 'image'), made(join(parent, 'disk'))];
  const problem =
    failure('truncate', '-s', '256M', image) ??
    failure('mkfs.ext4', '-q', '-O', 'casefold', '-E', 'encoding=utf8', image) ??
    failure('mount', '-o', 'loop', image, mountPoint);
  if (problem) return `this system has no disk that ignores case (${problem})`;
  const remove = () => void spawnSync('umount', [mountPoint]);
  const folder = made(join(mountPoint, 'any-case'));
  const refused = failure('chattr', '+F', folder);
  if (refused === undefined) return { folder, remove };
  remove();
  return `this system has no disk that ignores case (${refused})`;
}

function failure(program: string, ...args: string[]): string | undefined {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status === 0) return undefined;
  return error?.message ?? stderr.trim().split('\n')[0] ?? `${program} failed`;
}

function made(folder: string): string {
  mkdirSync(folder);
  return folder;
}
