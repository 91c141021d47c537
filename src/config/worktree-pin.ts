import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { readSmall } from '../files/read-bounded.ts';
import { realPath } from '../files/real-path.ts';
import { type Env, fermataHome } from './home.ts';

/** One of our own worktrees, and the git directory that it was created with. */
export interface PinnedWorktree {
  top: string;
  gitDir: string;
}

/**
 * The Fermata worktree that contains a folder. Its git directory is the one recorded next to it, because an agent in the
 * worktree can replace its `.git` or put other repositories into it.
 */
export function pinnedWorktree(folder: string, env: Env): PinnedWorktree | undefined {
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
