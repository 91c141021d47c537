import { lstatSync, readlinkSync } from 'node:fs';
import { sep } from 'node:path';
import { realPath } from '../../files/real-path.ts';

/** A file or folder in a sandbox. */
export interface Mount {
  path: string;
  /** The path outside that appears there, if it differs. */
  from?: string;
  writable: boolean;
}

/** What a program sees besides the system's programs. All paths are absolute; later mounts cover earlier ones. */
export interface Sandbox {
  /** The program that makes it: bubblewrap. */
  bwrap: string;
  /** Folders that start empty and are removed afterwards. */
  temporary: readonly string[];
  mounts: readonly Mount[];
}

/** The path outside the sandbox of a path inside it. */
export function outsidePath({ mounts }: Sandbox, path: string): string {
  const mount = mounts.findLast((each) => path === each.path || path.startsWith(`${each.path}${sep}`));
  return mount?.from === undefined ? path : mount.from + path.slice(mount.path.length);
}

/** The folders of system programs, libraries and their settings. */
const system = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/etc', '/opt', '/nix'];

/**
 * The arguments of bubblewrap; the sandbox contains only what they name. The network is shared, because agents need their
 * model; processes, users and everything else are not.
 */
export function sandboxArguments(
  { temporary, mounts }: Sandbox,
  { program, cwd }: { program: string; cwd: string },
): string[] {
  const own: Mount[] = programFiles(program, cwd).map((path) => ({ path, writable: false }));
  return [
    ...['--unshare-all', '--share-net', '--die-with-parent'],
    ...system.flatMap(asInSystem),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...temporary.flatMap((path) => ['--tmpfs', path]),
    ...[...mounts, ...own].flatMap(({ path, from = path, writable }) => [
      writable ? '--bind-try' : '--ro-bind-try',
      from,
      path,
    ]),
    ...['--chdir', cwd, '--'],
  ];
}

function asInSystem(path: string): string[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return [];
  return found.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
}

/** A program with the files that npm installed next to it; empty if they are present anyway. */
function programFiles(program: string, cwd: string): string[] {
  const real = realPath(program);
  if ([...system, cwd].some((folder) => real.startsWith(`${folder}/`))) return [];
  const packages = `${sep}node_modules${sep}`;
  const beside = real.includes(packages) ? [real.slice(0, real.indexOf(packages) + packages.length - 1)] : [];
  return [...new Set([...beside, real, program])];
}
