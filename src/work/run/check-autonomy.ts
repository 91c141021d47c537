import type { Run } from '../../schema/run.ts';
import { enforceAutonomy, rejectionText } from '../autonomy/enforce-autonomy.ts';
import { findChanges } from '../autonomy/find-changes.ts';
import { git } from '../git/git.ts';
import { isAncestor } from '../git/refs.ts';
import type { Outing } from './send-agent.ts';

export type Allowed = { kind: 'proceed' } | { kind: 'waiting' } | { kind: 'rejected'; findings: string };

/** Whether what an agent changed in dependencies and scope may be merged, by the project's levels. */
export async function checkAutonomy({ run, held, worktree }: Outing): Promise<Allowed> {
  const { ledger, projectId, by } = run.place;
  const { task } = held;
  const { path: folder, branch, baseCommit, plan } = worktree;
  // What will be merged, wherever the agent left its HEAD.
  const tip = await git(folder, ['rev-parse', '--verify', `refs/heads/${branch}`]);
  const base = await baseOf(folder, tip, baseCommit, await ledger.runs.of(projectId, 'execute', task.id));
  const changes = await findChanges({ folder, base, tip }, plan ?? undefined);
  const changed = { projectId, taskId: task.id, fence: task.fence, changes, by };
  const verdict = await enforceAutonomy(ledger, changed);
  switch (verdict.kind) {
    case 'proceed':
      return verdict;
    case 'waiting':
      return { kind: 'waiting' };
    case 'rejected': {
      const said = rejectionText(verdict.notification);
      const findings = `A person rejected this. Undo it, and do the phase without it.\n\n${said}`;
      return { kind: 'rejected', findings };
    }
    default: {
      const never: never = verdict;
      return never;
    }
  }
}

/**
 * Where the agent began by our own records: it could move a branch. What it was sent out to merge came from other
 * phases, about which people were asked there.
 */
async function baseOf(folder: string, tip: string, begun: string, newestFirst: Run[]): Promise<string> {
  for (const { data } of newestFirst) {
    if (typeof data.merges === 'string' && (await isAncestor(folder, data.merges, tip))) return data.merges;
  }
  // A branch that was there before us may have begun earlier.
  return git(folder, ['merge-base', tip, begun]);
}
