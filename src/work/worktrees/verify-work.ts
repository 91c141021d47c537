import { type Checked, findFalseObject } from '../../git/check-objects.ts';
import { tampered } from '../../git/receive-objects.ts';
import { branchRef } from './exchange/remote-context.ts';
import { findHere } from './here.ts';
import type { WorktreeContext } from './worktree-context.ts';

/** Throws if a checkout's commits since its feature branch, or the files in them, are not what their ids say. */
export async function verifyCheckout(context: WorktreeContext, folder: string): Promise<void> {
  const { featureBranch } = await findHere({ ...context, top: folder });
  // Names and not ids: of a false commit, git would only say that the branch does not exist.
  const known = featureBranch === undefined ? [] : [branchRef(featureBranch)];
  await verifyCommits(folder, { tip: 'HEAD', known }, `the work in ${folder}`);
}

/** The same for any commits; `what` contains them. */
export async function verifyCommits(folder: string, range: Checked, what: string): Promise<void> {
  const found = await findFalseObject(folder, range);
  if (found) throw tampered(what, found, ADVICE);
}

const ADVICE =
  'Nothing was merged. "git fsck" lists all such objects. Restore them from another clone, or discard this work.';
