import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { readSmall } from '../files/read-bounded.ts';
import { realPath } from '../files/real-path.ts';
import { type Env, fermataHome } from './home.ts';

/** The repository of a folder. */
export interface Repository {
  /** The top of this checkout (for a worktree, the worktree's). */
  top: string;
  /** Git's common directory: the same for all worktrees of a repository. */
  commonDir: string;
  /** Git's own directory of this checkout; the common one in the main checkout. */
  gitDir: string;
}

/**
 * Finds the git repository around a folder by reading `.git`, which is much faster than starting git. In one of our
 * worktrees it is the recorded one, whatever `.git` says there now.
 */
export function findRepository(folder: string, env: Env = process.env): Repository | undefined {
  const pinned = pinnedWorktree(folder, env);
  if (pinned && existsSync(pinned.gitDir)) return { ...pinned, commonDir: commonDirAround(pinned.gitDir) };
  for (let top = resolve(folder); ; top = dirname(top)) {
    const gitDir = gitDirAt(join(top, '.git'));
    if (gitDir) return { top, commonDir: commonDirOf(gitDir), gitDir };
    if (top === dirname(top)) return undefined;
  }
}

/** The current branch of a git directory, from its HEAD file; undefined if the file does not say. */
export function branchIn(gitDir: string): string | undefined {
  const branch = /^ref: refs\/heads\/(.+)$/.exec(readSmall(join(gitDir, 'HEAD'))?.trimEnd() ?? '')?.[1];
  // With reftables, HEAD is only a placeholder for programs that do not support them.
  return branch === '.invalid' ? undefined : branch;
}

/** `owner/name` of the remote `origin`, if there is one. */
export function remoteName(repository: Repository): string | undefined {
  const config = readSmall(join(repository.commonDir, 'config')) ?? '';
  const section = /\[remote "origin"\]([^[]*)/.exec(config)?.[1] ?? '';
  const url = /^[ \t]*url[ \t]*=[ \t]*(\S.{0,2000})$/m.exec(section)?.[1]?.trim() ?? '';
  const [, owner, name] = /([^/:]+)\/([^/]+?)(?:\.git)?\/?$/.exec(url) ?? [];
  return owner && name ? `${owner}/${name}` : undefined;
}

/**
 * Whether git's directory, too, says that this folder is a checkout of it. An unpacked archive can have a `.git` that points to
 * any repository of this machine.
 */
export function isItsCheckout({ top, commonDir, gitDir }: Repository): boolean {
  const folder = realPath(top);
  if (commonDir === join(folder, '.git')) return true;
  const own = realPath(gitDir);
  if (dirname(own) === join(commonDir, 'worktrees')) {
    const link = readSmall(join(own, 'gitdir'))?.trim();
    return link !== undefined && isFolder(dirname(resolve(own, link)), folder);
  }
  const worktree = /^[ \t]*worktree[ \t]*=[ \t]*(\S.*)$/m.exec(
    readSmall(join(commonDir, 'config')) ?? '',
  )?.[1];
  return own === commonDir && worktree !== undefined && isFolder(resolve(own, worktree.trim()), folder);
}

const isFolder = (path: string, folder: string) => existsSync(path) && realPath(path) === folder;

function gitDirAt(path: string): string | undefined {
  const kind = statSync(path, { throwIfNoEntry: false });
  if (kind?.isDirectory()) return readSmall(join(path, 'HEAD')) === undefined ? undefined : path;
  if (!kind?.isFile()) return undefined;
  const link = /^gitdir: (.+)$/m.exec(readSmall(path) ?? '')?.[1];
  const target = link && resolve(dirname(path), link.trim());
  // A worktree whose repository was moved or removed counts as a plain folder.
  return target && existsSync(target) ? target : undefined;
}

/** Git keeps the files of a worktree in `<common directory>/worktrees/<name>`. */
const commonDirAround = (gitDir: string) => dirname(dirname(gitDir));

function commonDirOf(gitDir: string): string {
  const link = readSmall(join(gitDir, 'commondir'))?.trim();
  return realPath(link ? resolve(gitDir, link) : gitDir);
}

/** One of our own worktrees, and the git directory that it was created with. */
interface PinnedWorktree {
  top: string;
  gitDir: string;
}

/**
 * The Fermata worktree that contains a folder. Its git directory is the one recorded next to it, because an agent in the
 * worktree can replace its `.git` or put other repositories into it.
 */
function pinnedWorktree(folder: string, env: Env): PinnedWorktree | undefined {
  const projects = join(fermataHome(env), 'projects');
  const at = [projects, real(projects)].find((each) => resolve(folder).startsWith(each + sep));
  if (at === undefined) return undefined;
  const [project = '', worktrees, name] = relative(at, resolve(folder)).split(sep);
  if (worktrees !== 'worktrees' || !name) return undefined;
  const top = join(at, project, worktrees, name);
  const gitDir = /^gitdir: (.+)$/m.exec(readSmall(pinOf(top), 8192) ?? '')?.[1];
  return gitDir === undefined ? undefined : { top, gitDir };
}

/** Records the git directory of a Fermata worktree. */
export function pinWorktree(top: string, gitDir: string): void {
  const pin = pinOf(top);
  const text = `gitdir: ${realPath(gitDir)}\n`;
  if (readSmall(pin, 8192) === text) return;
  mkdirSync(dirname(pin), { recursive: true, mode: 0o700 });
  writeFileSync(pin, text, { mode: 0o600 });
}

export function unpinWorktree(top: string): void {
  rmSync(pinOf(top), { force: true });
}

/** Next to the worktree, out of reach for an agent that may only write inside. A folder that is being removed keeps its pin. */
function pinOf(top: string): string {
  const name = basename(top).replace(/^\.(.+)\.taken-away$/, '$1');
  return join(dirname(top), `${name}.gitdir`);
}

function real(path: string): string {
  try {
    return realPath(path);
  } catch {
    return path; // nothing was created there yet
  }
}
