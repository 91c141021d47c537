import type { GateCommand } from '../phases/run-gates.ts';
import type { WorkRun } from './work-run.ts';

/** A task without a plan that is running, with its options. */
export interface TaskRun extends WorkRun {
  /** The project's checks. */
  checks: readonly GateCommand[];
}
