import { committedState } from '../../git/status.ts';
import type { GateRun, PhaseRecord } from '../../schema/phase-record.ts';
import type { GateCommand } from './run-gates.ts';

/** The last gate results of a phase or task; undefined if the commands or the files they ran on have changed since. */
export async function recordedGates(
  records: readonly PhaseRecord[],
  gates: readonly GateCommand[],
  worktree: { path: string },
): Promise<GateRun[] | undefined> {
  const last = records.findLast((each) => each.kind === 'gates');
  if (last?.data.commit === undefined) return undefined;
  const runs = last.data.runs;
  if (!isSame(runs, gates)) return undefined;
  return last.data.commit === (await committedState(worktree.path)) ? runs : undefined;
}

const isSame = (runs: readonly GateRun[], gates: readonly GateCommand[]) =>
  runs.length === gates.length && runs.every(({ command }, index) => command === gates[index]?.command);
