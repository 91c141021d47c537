import { closeSync, constants, fstatSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../../agents/process/program.ts';
import { sandboxArguments } from '../../agents/sandbox/arguments.ts';
import {
  type AgentStore,
  agentStore,
  SHARED_OBJECTS,
  storeSandbox,
} from '../../agents/sandbox/git-mounts.ts';
import { isSandboxed, sandboxFolder } from '../../agents/sandbox/sandbox.ts';
import { branchIn, findRepository } from '../../config/repository.ts';
import { readSmall } from '../../files/read-bounded.ts';
import { gitDirOf } from '../../git/deaf-environment.ts';
import { type GitResult, gitError, tryGit } from '../../git/git.ts';
import { type PackSender, receiveObjects, tampered } from '../../git/receive-objects.ts';
import { branchTip, commitOf, ownBranchTip } from '../../git/refs.ts';
import { operationIn } from '../../git/worktree-list.ts';
import { crashPoint } from '../../ledger/crash-point.ts';
import { throwIfScarce } from '../../schema/system-fault.ts';

/**
 * Takes over what a sandboxed agent committed on its own branch in this worktree, and a merge that it began; ignores
 * everything else in its store. Can be repeated at any time, also while the agent runs. `known`: a branch that the
 * repository has, so that its commits are not sent again.
 */
export async function receiveWork(worktree: string, known?: string): Promise<void> {
  const repository = isSandboxed(process.env) ? findRepository(worktree) : undefined;
  const branch = repository && branchIn(repository.gitDir);
  if (!repository || branch === undefined || repository.gitDir === repository.commonDir) return;
  const { commonDir, gitDir } = repository;
  const own = sandboxFolder(process.env, worktree);
  const store = agentStore(own);
  const [tip] = idsIn(join(store.refs, 'heads', branch));
  if (tip === undefined) return;
  const branches = known === undefined ? [branch] : [branch, known];
  const [before, feature] = await Promise.all(branches.map((name) => ownBranchTip(commonDir, name)));
  if (before === undefined) return;
  const merging = idsIn(join(store.gitDir, 'MERGE_HEAD'));
  // We may have committed on top of it, and would move the branch back.
  const received = [tip, ...merging].join('\n');
  if (readSmall(store.received) === received) return;
  const tips = [...new Set([tip, ...merging])].filter((id) => id !== before);
  if (tips.length > 0) {
    const wanted = {
      tips,
      known: feature === undefined ? [before] : [before, feature],
      sender: senderFor(commonDir, store),
    };
    const receiving = receive(branch, own, receiveObjects(commonDir, wanted));
    await (tip === before ? receiving : moveBranch(worktree, branch, { before, tip, own }, receiving));
  }
  if (merging.length > 0) writeFileSync(join(gitDir, 'MERGE_HEAD'), `${merging.join('\n')}\n`);
  else rmSync(join(gitDir, 'MERGE_HEAD'), { force: true });
  writeFileSync(store.received, received);
}

/** What the agent left half done where its branch is not checked out, so that its files cannot be committed. */
export function leftUnfinished(worktree: string): string | undefined {
  const { gitDir } = agentStore(sandboxFolder(process.env, worktree));
  const operation = operationIn(isSandboxed(process.env) ? gitDir : gitDirOf(worktree));
  return operation === 'rebase' || operation === 'bisect' ? operation : undefined;
}

async function receive(
  branch: string,
  own: string,
  receiving: ReturnType<typeof receiveObjects>,
): Promise<void> {
  const found = await receiving;
  if (found) throw forged(branch, found, own);
  crashPoint('receive.stored');
}

/** The index first, because a branch that moved counts as taken over. */
async function moveBranch(
  worktree: string,
  branch: string,
  { before, tip, own }: { before: string; tip: string; own: string },
  received: Promise<void>,
): Promise<void> {
  const indexing = received.then(async () => {
    const indexed = await setIndex(worktree, before, tip);
    crashPoint('receive.indexed');
    return indexed;
  });
  // Git starts while the objects arrive, and moves nothing until it reads what to move.
  const input = indexing.then(
    ({ code }) => (code === 0 ? `update refs/heads/${branch}\0${tip}\0${before}\0` : ''),
    () => '',
  );
  const args = ['update-ref', '-m', 'fermata: commits of the agent', '--stdin', '-z'];
  const [indexed, moved] = await Promise.allSettled([indexing, tryGit(worktree, args, { input })]);
  if (indexed.status === 'rejected') throw indexed.reason;
  if (moved.status === 'rejected') throw moved.reason;
  const result = indexed.value.code === 0 ? moved.value : indexed.value;
  if (result.code === 0 || (await branchTip(worktree, branch)) === tip) return;
  await setIndex(worktree, tip, before);
  throw (await commitOf(worktree, tip)) === tip ? gitError(args, result) : forged(branch, { id: tip }, own);
}

/** Keeps what git knows about unchanged files, unless the index is not that of the commit before. */
async function setIndex(worktree: string, before: string, to: string): Promise<GitResult> {
  const moved = await tryGit(worktree, ['read-tree', '-i', '-m', before, to]);
  return moved.code === 0 ? moved : tryGit(worktree, ['read-tree', to]);
}

const forged = (branch: string, found: { id: string | undefined; path?: string | undefined }, own: string) =>
  tampered(
    `what an agent committed on ${branch}`,
    found,
    `Nothing of it was taken over. Look at the files in the worktree; to continue without these commits, delete ${own}.`,
  );

function senderFor(commonDir: string, store: AgentStore) {
  const sandbox = storeSandbox(findProgram('bwrap', process.env, '/') ?? 'bwrap', commonDir, store);
  const program = findProgram('git', process.env, '/') ?? 'git';
  return (args: string[], env: NodeJS.ProcessEnv): PackSender => ({
    program: sandbox.bwrap,
    args: [...sandboxArguments(sandbox, { program, cwd: '/' }), program, ...args],
    env: {
      ...env,
      GIT_DIR: commonDir,
      GIT_OBJECT_DIRECTORY: store.objects,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: SHARED_OBJECTS,
    },
  });
}

/** The ids in a file of the agent, which may be anything, and may change while we look. */
function idsIn(path: string): string[] {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (!fstatSync(file).isFile()) return [];
    const bytes = Buffer.alloc(1000);
    const text = bytes.toString('latin1', 0, readSync(file, bytes, 0, bytes.length, 0));
    return text.match(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/gm) ?? [];
  } catch (error) {
    throwIfScarce(error);
    return []; // no such file, or not readable
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
