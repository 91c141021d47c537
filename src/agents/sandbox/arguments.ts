import { dirname, sep } from 'node:path';
import { realPath } from '../../files/real-path.ts';

/** A file or folder in a sandbox. */
export interface Mount {
  path: string;
  /** The path outside that appears there, if it differs. */
  from?: string;
  writable: boolean;
  /** Shows nothing of what is there outside. A folder can be written to, and is removed afterwards. */
  empty?: 'folder' | 'file';
  /** Where it leads, if it is a link. */
  link?: string;
}

/** What a program sees. All paths are absolute; a mount covers those above it, whatever their order. */
export interface Sandbox {
  /** The program that makes it: bubblewrap. */
  bwrap: string;
  mounts: readonly Mount[];
}

/**
 * No capabilities and no way to get any: not by a setuid program, which bubblewrap prevents, nor in a user namespace. Without
 * them nothing can be mounted, so read-only stays read-only, for root as well. The network is shared, because agents
 * need their model; processes, users and everything else are not. /proc is read-only because root owns its files.
 */
const isolation = [
  ...['--unshare-all', '--unshare-user', '--disable-userns', '--cap-drop', 'ALL'],
  ...['--share-net', '--new-session', '--die-with-parent'],
  ...['--proc', '/proc', '--remount-ro', '/proc', '--dev', '/dev'],
];

/** The path outside the sandbox of a path inside it. */
export function outsidePath({ mounts }: Sandbox, path: string): string {
  const mount = mountAt(mounts, path);
  return mount?.from === undefined ? path : mount.from + path.slice(mount.path.length);
}

/** The arguments of bubblewrap; the sandbox contains only what they name. */
export function sandboxArguments(
  { mounts }: Sandbox,
  { program, cwd }: { program: string; cwd: string },
): string[] {
  const own = programFiles(program, mounts).map((path) => ({ path, writable: false }));
  return [...isolation, ...byDepth([...mounts, ...own]).flatMap(mounting), '--chdir', cwd, '--'];
}

function mounting({ path, from = path, writable, empty, link }: Mount): string[] {
  if (link !== undefined) return ['--symlink', link, path];
  if (empty === 'folder') return ['--tmpfs', path];
  if (empty === 'file') return ['--ro-bind', '/dev/null', path];
  return [writable ? '--bind-try' : '--ro-bind-try', from, path];
}

/** A program with the files that npm installed next to it; empty if they are present anyway. */
function programFiles(program: string, mounts: readonly Mount[]): string[] {
  const real = realPath(program);
  const packages = `${sep}node_modules${sep}`;
  const beside = real.includes(packages) ? [real.slice(0, real.indexOf(packages) + packages.length - 1)] : [];
  return [...new Set([...beside, real, program])].filter((path) => !isShown(mounts, path));
}

function isShown(mounts: readonly Mount[], path: string): boolean {
  const mount = mountAt(mounts, path);
  return mount !== undefined && mount.empty === undefined && mount.from === undefined;
}

/** The mount that has a path. */
const mountAt = (mounts: readonly Mount[], path: string): Mount | undefined =>
  byDepth(mounts).findLast((mount) => isInside(path, mount.path));

export const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

const byDepth = (mounts: readonly Mount[]): Mount[] =>
  mounts.toSorted((a, b) => depth(a.path) - depth(b.path));

const depth = (path: string) => (path === dirname(path) ? 0 : path.split(sep).length);
