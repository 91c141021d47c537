import type { Run } from '../../schema/run.ts';
import { enforceAutonomy } from '../autonomy/enforce-autonomy.ts';
import { findChanges } from '../autonomy/find-changes.ts';
import { git } from '../git/git.ts';
import { isAncestor } from '../git/refs.ts';
import type { OpenWorktree } from '../worktrees/open-worktree.ts';
import type { Outing } from './send-agent.ts';

export type Allowed = { kind: 'proceed' } | { kind: 'waiting' } | { kind: 'rejected'; findings: string };

/** Whether what an agent changed in dependencies and scope may be merged, by the project's levels. */
export async function checkAutonomy({ run, held, at, worktree }: Outing): Promise<Allowed> {
  const { ledger, projectId, by } = run.place;
  const { task } = held;
  const base = await baseOf(worktree, await ledger.runs.of(projectId, 'execute', task.id));
  const changes = await findChanges(worktree.path, base, worktree.plan ?? undefined);
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

/**
 * Where the agent began by our own records: it could move a branch. What it was sent out to merge came from other
 * phases, about which people were asked there.
 */
async function baseOf({ path, baseCommit }: OpenWorktree, newestFirst: Run[]): Promise<string> {
  for (const { data } of newestFirst) {
    if (typeof data.merges === 'string' && (await isAncestor(path, data.merges, 'HEAD'))) return data.merges;
  }
  // A branch that was there before us may have begun earlier.
  return git(path, ['merge-base', 'HEAD', baseCommit]);
}
