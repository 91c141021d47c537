import { enforceAutonomy } from '../autonomy/enforce-autonomy.ts';
import { findChanges } from '../autonomy/find-changes.ts';
import { git } from '../git/git.ts';
import type { Outing } from './send-agent.ts';

export type Allowed = { kind: 'proceed' } | { kind: 'waiting' } | { kind: 'rejected'; findings: string };

/** Whether what an agent changed in dependencies and scope may be merged, by the project's levels. */
export async function checkAutonomy({ run, held, at, worktree }: Outing): Promise<Allowed> {
  const { ledger, projectId, by } = run.place;
  const base = await git(worktree.path, ['merge-base', 'HEAD', `refs/heads/${worktree.featureBranch}`]);
  const changes = await findChanges(worktree.path, base, worktree.plan ?? undefined);
  const { task } = held;
  const changed = { projectId, taskId: task.id, fence: task.fence, changes, by };
  const verdict = await enforceAutonomy(ledger, changed);
  if (verdict.kind === 'proceed') return verdict;
  const { id, questions, responses, reason } = verdict.notification;
  const asked = questions.map(({ text }) => text).join('\n');
  if (verdict.kind === 'waiting') {
    run.tell(at, `waits for an approval: fermata answer ${id} Approve`);
    return { kind: 'waiting' };
  }
  const [response] = responses;
  const why = (response?.kind === 'answered' ? response.note : reason) ?? 'No reason was given.';
  return {
    kind: 'rejected',
    findings: `A person rejected this. Undo it, and do the phase without it.\n\n${asked}\n\n${why}`,
  };
}
