import { forkOf } from '../../git/refs.ts';
import type { By } from '../../schema/actor.ts';
import { cmd } from '../../schema/command-line.ts';
import { limits } from '../../schema/limits.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { Worktree } from '../../schema/worktree.ts';
import type { WorktreeContext } from '../worktrees/worktree-context.ts';
import { enforceAutonomy, rejectionText, whatChanges } from './enforce-autonomy.ts';
import { findChanges, ownPhaseOf } from './find-changes.ts';

/** Refuses to merge what a person has to approve first, or has rejected. Returns who approved it, if an approval was needed. */
export async function requireApproval(
  worktreeContext: WorktreeContext,
  worktree: Worktree,
  tip: string,
): Promise<By | undefined> {
  const { ledger, projectId, by, commonDir: folder } = worktreeContext;
  const { branch, featureBranch } = worktree;
  const fork = await forkOf(folder, tip, `refs/heads/${featureBranch}`);
  if (fork === undefined) return undefined;
  const { base = fork.other } = fork;
  const changes = await findChanges({ folder, base, tip }, ownPhaseOf(worktree));
  const result = await enforceAutonomy(ledger, {
    projectId,
    taskId: await askerOf(worktreeContext, branch),
    changes,
    by,
  });
  switch (result.kind) {
    case 'proceed':
      return result.approvedBy;
    case 'waiting': {
      const { id, questions } = result.notification;
      throw new Refusal('needs_approval', questions.map(whatChanges).join('\n'), {
        suggestion: `A person must approve it ("${cmd`answer ${id} Approve`}"). Then try again.`,
        data: { merged: false, notification: id },
      });
    }
    case 'rejected':
      throw new Refusal('rejected', `A person rejected this: ${rejectionText(result.notification)}`, {
        suggestion: 'Undo it, commit, and try again.',
        data: { merged: false, notification: result.notification.id },
      });
    default: {
      const never: never = result;
      return never;
    }
  }
}

/** The task that waits for the approval, or the branch if there is no such task or it is closed. */
async function askerOf({ ledger, projectId }: WorktreeContext, branch: string): Promise<string> {
  const started = await ledger.phases.startedOn(projectId, branch);
  const task = started && (await ledger.tasks.find(projectId, started.taskId));
  return task && task.status !== 'closed' ? task.id : branch.slice(0, limits.id);
}
