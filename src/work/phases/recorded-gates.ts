import { commitOf } from '../git/refs.ts';
import { checkoutStatus } from '../git/status.ts';
import type { PhaseAtWork } from './phase-at-work.ts';
import type { PlanPlace } from './plan-place.ts';
import type { GateRun } from './run-gates.ts';

/** The commit that says all of what git tracks in a checkout; undefined where something is not committed. */
export async function committedState(folder: string): Promise<string | undefined> {
  const { changed } = await checkoutStatus(folder);
  return changed.length === 0 ? commitOf(folder, 'HEAD') : undefined;
}

/** What the gate commands of a phase said when they last ran on what its worktree has now; undefined where they did not. */
export async function recordedGates(
  { ledger, projectId }: PlanPlace,
  { taskId }: PhaseAtWork,
  worktree: { path: string },
): Promise<GateRun[] | undefined> {
  const last = (await ledger.phases.list(projectId, taskId)).findLast(({ kind }) => kind === 'gates');
  if (last?.data.commit === undefined) return undefined;
  return last.data.commit === (await committedState(worktree.path))
    ? (last.data.runs as GateRun[])
    : undefined;
}
