import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from '../../config/repository.ts';
import type { Mount, Sandbox } from './arguments.ts';
import { systemPrograms, temporaryFolders } from './system.ts';

/** Where a sandbox shows the repository's own objects, because the agent's are in their usual place. */
export const SHARED_OBJECTS = '/run/fermata/objects';

/** The agent's own part of git: what it writes instead of the repository. Everything in it is untrusted. */
export interface AgentStore {
  objects: string;
  refs: string;
  logs: string;
  /** Instead of the worktree's git directory: HEAD, the index, unfinished operations. */
  gitDir: string;
  /** Ours: what was taken over since the agent got its branches. The agent cannot see it. */
  received: string;
}

/** `own`: the folder of the sandbox. */
export const agentStore = (own: string): AgentStore => ({
  objects: join(own, 'objects'),
  refs: join(own, 'refs'),
  logs: join(own, 'logs'),
  gitDir: join(own, 'git'),
  received: join(own, 'received'),
});

/**
 * Git's files are read-only. An agent that commits (`own`) gets a store of its own in place of the objects, the branches
 * and the worktree's git directory, so our git reads nothing that the agent can write. Its commits enter the repository
 * only through `receiveWork`.
 */
export function gitMounts(repository: Repository | undefined, own: string | undefined): Mount[] {
  if (!repository) return [];
  const { commonDir, gitDir } = repository;
  const readable: Mount = { path: commonDir, writable: false };
  if (own === undefined || gitDir === commonDir) return [readable];
  const store = agentStore(own);
  rmSync(store.received, { force: true });
  prepareRefs(repository, store);
  prepareGitDir(repository, store);
  prepareObjects(own, store);
  const instead = (path: string, from: string): Mount => ({ path, from, writable: true });
  return [
    readable,
    { path: SHARED_OBJECTS, from: join(commonDir, 'objects'), writable: false },
    instead(join(commonDir, 'objects'), store.objects),
    instead(join(commonDir, 'refs'), store.refs),
    ...(existsSync(join(commonDir, 'logs')) ? [instead(join(commonDir, 'logs'), store.logs)] : []),
    instead(gitDir, store.gitDir),
  ];
}

/** Where a git reads the agent's objects for us: it sees nothing else that it could send, whatever links are in there. */
export function storeSandbox(bwrap: string, commonDir: string, { objects }: AgentStore): Sandbox {
  const readable = (path: string, from = path): Mount => ({ path, from, writable: false });
  return {
    bwrap,
    mounts: [
      ...systemPrograms(),
      ...temporaryFolders(),
      readable(commonDir),
      readable(SHARED_OBJECTS, join(commonDir, 'objects')),
      readable(objects),
    ],
  };
}

/** Its branches are those of the repository, as they are now; its stash is its own. */
function prepareRefs({ commonDir }: Repository, { refs, logs }: AgentStore): void {
  const stashes = [
    { from: [refs, 'stash'], to: join(refs, 'stash') },
    { from: [logs, 'refs', 'stash'], to: join(logs, 'refs', 'stash') },
  ];
  const kept = stashes.map(({ from, to }) => ({ to, aside: `${from[0]}.stash`, found: plainFile(from) }));
  for (const { aside, found } of kept) if (found !== undefined) renameSync(found, aside);
  copyFresh(join(commonDir, 'refs'), refs);
  copyFresh(join(commonDir, 'logs'), logs);
  mkdirSync(join(logs, 'refs'), { recursive: true });
  for (const { aside, to } of kept) if (existsSync(aside)) renameSync(aside, to);
}

/** Of an operation that leaves the branch, such as a rebase, everything is kept until the agent ends it. */
const leavesBranch = ['rebase-merge', 'rebase-apply', 'BISECT_LOG'];

function prepareGitDir({ gitDir }: Repository, store: AgentStore): void {
  if (leavesBranch.some((name) => existsSync(join(store.gitDir, name)))) {
    for (const lock of ['index.lock', 'HEAD.lock']) rmSync(join(store.gitDir, lock), { force: true });
    return;
  }
  const [modules, aside] = [join(store.gitDir, 'modules'), `${store.gitDir}.modules`];
  if (isFolder(modules)) renameSync(modules, aside);
  copyFresh(gitDir, store.gitDir);
  // The repositories of submodules that the agent fetched.
  if (isFolder(aside) && !existsSync(modules)) renameSync(aside, modules);
}

/** Removes links that the agent put in place of folders, because we would write through them. */
function prepareObjects(own: string, { objects }: AgentStore): void {
  for (const folder of [objects, join(objects, 'info'), join(objects, 'pack')]) {
    if (!isFolder(folder)) rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }
  const alternates = join(own, `alternates-${randomBytes(6).toString('hex')}`);
  writeFileSync(alternates, `${SHARED_OBJECTS}\n`);
  rmSync(join(objects, 'info/alternates'), { recursive: true, force: true });
  renameSync(alternates, join(objects, 'info/alternates'));
}

function copyFresh(folder: string, copy: string): void {
  rmSync(copy, { recursive: true, force: true });
  if (existsSync(folder)) cpSync(folder, copy, { recursive: true });
  mkdirSync(copy, { recursive: true, mode: 0o700 });
}

/** The path of a file, unless it or a folder on the way is something else, such as a link. */
function plainFile([root = '', ...names]: string[]): string | undefined {
  const path = names.reduce((folder, name) => (isFolder(folder) ? join(folder, name) : ''), root);
  return path !== '' && lstatSync(path, { throwIfNoEntry: false })?.isFile() ? path : undefined;
}

const isFolder = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
