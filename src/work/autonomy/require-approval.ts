import { limits } from '../../schema/limits.ts';
import type { Worktree } from '../../schema/worktree.ts';
import { tryGit } from '../git/git.ts';
import { branchTip } from '../git/refs.ts';
import { Refusal } from '../refusal.ts';
import type { Place } from '../worktrees/place.ts';
import { enforceAutonomy, rejectionText } from './enforce-autonomy.ts';
import { findChanges } from './find-changes.ts';

/** Refuses to merge what a person has to approve first, by the project's levels, or has rejected. */
export async function requireApproval(place: Place, worktree: Worktree): Promise<void> {
  const { ledger, projectId, by, commonDir: folder } = place;
  const { branch, featureBranch, plan } = worktree;
  const [tip, into] = [await branchTip(folder, branch), await branchTip(folder, featureBranch)];
  if (tip === undefined || into === undefined) return;
  const { code, stdout } = await tryGit(folder, ['merge-base', tip, into]);
  const base = code === 0 ? stdout.toString('utf8').trim() : into;
  const changes = await findChanges({ folder, base, tip }, plan ?? undefined);
  const verdict = await enforceAutonomy(ledger, {
    projectId,
    taskId: await askerOf(place, branch),
    changes,
    by,
  });
  switch (verdict.kind) {
    case 'proceed':
      return;
    case 'waiting': {
      const { id, questions } = verdict.notification;
      throw new Refusal('needs_approval', questions.map(({ text }) => text).join('\n'), {
        suggestion: `A person has to approve it: fermata answer ${id} Approve. Then try again.`,
        data: { merged: false, notification: id },
      });
    }
    case 'rejected':
      throw new Refusal('rejected', `A person rejected this: ${rejectionText(verdict.notification)}`, {
        suggestion: 'Undo it, commit, and try again.',
        data: { merged: false, notification: verdict.notification.id },
      });
    default: {
      const never: never = verdict;
      return never;
    }
  }
}

/** The task that waits for the approval; the branch where there is none, or it is over. */
async function askerOf({ ledger, projectId }: Place, branch: string): Promise<string> {
  const started = await ledger.phases.startedOn(projectId, branch);
  const task = started && (await ledger.tasks.find(projectId, started.taskId));
  return task && task.status !== 'closed' ? task.id : branch.slice(0, limits.id);
}
