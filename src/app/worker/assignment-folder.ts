import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../files/write-at-once.ts';
import { commitWithin } from '../../git/commit.ts';
import { git } from '../../git/git.ts';
import { commitOf } from '../../git/refs.ts';
import { openRepository } from '../../git/remote/open-repository.ts';
import { pushRefs } from '../../git/remote/remote-refs.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { ReviewWork, WorkOrder } from '../../schema/work-order.ts';
import type { HeldTask } from '../../work/run/task-loop.ts';
import { folderNameOf } from '../../work/worktrees/worktree-context.ts';
import { assignmentBranch } from './assignment-name.ts';
import { clonesFolder, REMOTE } from './project-folder.ts';
import type { WorkerParts } from './worker-parts.ts';

/** A folder for an assignment that writes files. */
export interface AssignmentFolder {
  cwd: string;
  /** Commits these files and folders on a separate branch and pushes it. Safe to repeat. */
  publish(paths: readonly string[], message: string): Promise<void>;
  /** The branch that it pushes to. */
  branch: string;
  discard(): void;
}

/**
 * A clone for this assignment alone. Removes what was written there before but not pushed, because it is written again
 * from the agent's answer in the ledger.
 */
export async function openAssignmentFolder(
  parts: Pick<WorkerParts, 'settings'>,
  order: WorkOrder & { work: { remote: string } },
  { signal, confirm }: Pick<HeldTask, 'signal' | 'confirm'>,
): Promise<AssignmentFolder> {
  const { featureBranch } = order.work;
  const branch = assignmentBranch(featureBranch, order.scope);
  const { cwd, remote, discard } = ownClone(parts, order, branch);
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
  order: WorkOrder & { work: ReviewWork & { remote: string } },
  signal: AbortSignal,
): Promise<Pick<AssignmentFolder, 'cwd' | 'discard'>> {
  const { cwd, remote, discard } = ownClone(parts, order, order.scope);
  // The review compares these two branches.
  for (const branch of [order.work.featureBranch, order.work.branch])
    await openRepository(cwd, remote, [branch], { signal });
  await clean(cwd);
  return { cwd, discard };
}

/** The path of a clone for a single order. */
function ownClone(
  { settings }: Pick<WorkerParts, 'settings'>,
  { projectId, work }: WorkOrder & { work: { remote: string } },
  name: string,
) {
  const storage = clonesFolder(settings, projectId);
  makeFolder(storage);
  const cwd = join(storage, folderNameOf(name, work.remote));
  const remote = { name: REMOTE, address: work.remote };
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
