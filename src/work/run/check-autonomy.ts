import { git, tryGit } from '../../git/git.ts';
import { isAncestor } from '../../git/refs.ts';
import type { By } from '../../schema/actor.ts';
import type { Run } from '../../schema/run.ts';
import { type AutonomyResult, enforceAutonomy, rejectionText } from '../autonomy/enforce-autonomy.ts';
import { findChanges, ownPhaseOf } from '../autonomy/find-changes.ts';
import type { TaskContext } from './task-context.ts';

type Allowed =
  | { kind: 'proceed'; approvedBy?: By }
  | { kind: 'waiting' }
  | { kind: 'rejected'; findings: string };

/** Whether what an agent changed in dependencies and in what steers may be merged. */
export async function checkAutonomy(context: TaskContext, commit?: string): Promise<Allowed> {
  const { path: folder, branch } = context.worktree;
  // What will be merged, wherever the agent left its HEAD.
  const tip = commit ?? (await git(folder, ['rev-parse', '--verify', `refs/heads/${branch}`]));
  const result = await verdictOn(context, tip);
  switch (result.kind) {
    case 'proceed':
      return result;
    case 'waiting':
      return { kind: 'waiting' };
    case 'rejected': {
      const said = rejectionText(result.notification);
      const findings = `A person rejected this. Undo it, and do the phase without it.\n\n${said}`;
      return { kind: 'rejected', findings };
    }
    default: {
      const never: never = result;
      return never;
    }
  }
}

/** The first changes that a person has to decide on, or rejected; else who approved them. */
async function verdictOn(context: TaskContext, tip: string): Promise<AutonomyResult> {
  const { run, held, worktree } = context;
  const { ledger, projectId, by } = run.around;
  const { id: taskId, fence } = held.task;
  let allowed: AutonomyResult = { kind: 'proceed' };
  for (const base of await basesOf(context, tip)) {
    const changes = await findChanges({ folder: worktree.path, base, tip }, ownPhaseOf(worktree));
    const result = await enforceAutonomy(ledger, { projectId, taskId, fence, changes, by });
    if (result.kind !== 'proceed') return result;
    if (result.approvedBy) allowed = result;
  }
  return allowed;
}

/**
 * What the work is compared with. Where the agent began by our own records, because it could move a branch; what it was
 * sent out to merge came from other phases, about which people were asked there. And where the feature branch is by now,
 * because an agent that merged it could take back what people approved there.
 */
async function basesOf({ run, held, worktree }: TaskContext, tip: string): Promise<Set<string>> {
  const { path: folder, baseCommit, featureBranch } = worktree;
  const { ledger, projectId } = run.around;
  const runs = await ledger.runs.of(projectId, 'execute', held.task.id);
  const begun = await baseOf(folder, tip, baseCommit, runs);
  const { code, stdout } = await tryGit(folder, ['merge-base', tip, `refs/heads/${featureBranch}`]);
  return new Set([begun, ...(code === 0 ? [stdout.toString('utf8').trim()] : [])]);
}

async function baseOf(folder: string, tip: string, begun: string, newestFirst: Run[]): Promise<string> {
  for (const { data } of newestFirst) {
    if (typeof data.merges === 'string' && (await isAncestor(folder, data.merges, tip))) return data.merges;
  }
  // A branch that was there before us may have begun earlier.
  return git(folder, ['merge-base', tip, begun]);
}
