import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../files/write-at-once.ts';
import { commitWithin } from '../../git/commit.ts';
import { git } from '../../git/git.ts';
import { commitOf } from '../../git/refs.ts';
import { openRepository } from '../../git/remote/open-repository.ts';
import { pushRefs } from '../../git/remote/remote-refs.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { QueueOrder } from '../../schema/work.ts';
import type { HeldTask } from '../run/task-loop.ts';
import { folderNameOf } from '../worktrees/worktree-context.ts';
import { clonesFolder, REMOTE } from './project-folder.ts';
import { resultBranch } from './task-names.ts';
import type { WorkerParts } from './worker-parts.ts';

/** A folder for work that writes files. */
export interface OwnFolder {
  cwd: string;
  /** Commits these files and folders on a separate branch and pushes it. Safe to repeat. */
  publish(paths: readonly string[], message: string): Promise<void>;
  /** The branch that it pushes to. */
  branch: string;
  discard(): void;
}

/**
 * A clone for this work alone. Removes what was written there before but not pushed, because it is written again
 * from the agent's answer in the ledger.
 */
export async function openOwnFolder(
  parts: Pick<WorkerParts, 'settings'>,
  order: QueueOrder,
  address: string,
  { signal, confirm }: Pick<HeldTask, 'signal' | 'confirm'>,
): Promise<OwnFolder> {
  const { featureBranch } = order.options;
  const branch = resultBranch(featureBranch, order.scope);
  const { cwd, remote, discard } = ownClone(parts, order.projectId, address, branch);
  const opened = await openRepository(cwd, remote, [branch, featureBranch], { signal });
  await clean(cwd);
  const publish = async (paths: readonly string[], message: string) => {
    await commitWithin(cwd, paths, message);
    const to = await commitOf(cwd, 'HEAD');
    const from = opened.branch === branch ? opened.commit : undefined;
    if (to === opened.commit && from === undefined) throw nothingToPush(paths);
    await confirm();
    const ref = `refs/heads/${branch}`;
    if (!(await pushRefs(join(cwd, '.git'), remote, [{ ref, from, to }], { signal }))) throw moved(branch);
  };
  return { cwd, publish, branch, discard };
}

/** A clone with a phase's branch checked out, for one reviewer. */
export async function openReviewFolder(
  parts: Pick<WorkerParts, 'settings'>,
  { projectId, scope, options }: QueueOrder,
  address: string,
  branch: string,
  signal: AbortSignal,
): Promise<Pick<OwnFolder, 'cwd' | 'discard'>> {
  const { cwd, remote, discard } = ownClone(parts, projectId, address, scope);
  // The review compares these two branches.
  for (const each of [options.featureBranch, branch]) await openRepository(cwd, remote, [each], { signal });
  await clean(cwd);
  return { cwd, discard };
}

/** The path of a clone for a single piece of work. */
function ownClone(
  { settings }: Pick<WorkerParts, 'settings'>,
  projectId: string,
  address: string,
  name: string,
) {
  const storage = clonesFolder(settings, projectId);
  makeFolder(storage);
  const cwd = join(storage, folderNameOf(name, address));
  const remote = { name: REMOTE, address };
  return { cwd, remote, discard: () => rmSync(cwd, { recursive: true, force: true }) };
}

const clean = (cwd: string) => git(cwd, ['clean', '--quiet', '-ffdx']);

const nothingToPush = (paths: readonly string[]) =>
  new Refusal('ignored', `Git ignores ${paths.join(', ')}, so it cannot be pushed.`, {
    suggestion: 'Change .gitignore, or choose another folder.',
  });

const moved = (branch: string) =>
  new Refusal('busy', `Somebody else pushed to ${branch} at the same time.`, {
    suggestion: 'Try again.',
    code: 'busy',
  });
