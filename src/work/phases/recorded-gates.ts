import { committedState } from '../../git/status.ts';
import type { GateRun } from '../../schema/phase-record.ts';
import type { PlanContext } from './plan-context.ts';
import type { GateCommand } from './run-gates.ts';

/** The last gate results of a phase or task; undefined if the commands or the files they ran on have changed since. */
export async function recordedGates(
  { ledger, projectId }: Pick<PlanContext, 'ledger' | 'projectId'>,
  { taskId, gates }: { taskId: string; gates: readonly GateCommand[] },
  worktree: { path: string },
): Promise<GateRun[] | undefined> {
  const last = (await ledger.phases.list(projectId, taskId)).findLast((each) => each.kind === 'gates');
  if (last?.data.commit === undefined) return undefined;
  const runs = last.data.runs;
  if (!isSame(runs, gates)) return undefined;
  return last.data.commit === (await committedState(worktree.path)) ? runs : undefined;
}

const isSame = (runs: readonly GateRun[], gates: readonly GateCommand[]) =>
  runs.length === gates.length && runs.every(({ command }, index) => command === gates[index]?.command);
