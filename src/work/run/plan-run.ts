import type { By } from '../../schema/actor.ts';
import type { PlanContext } from '../phases/plan-context.ts';
import type { WorktreeContext } from '../worktrees/worktree-context.ts';
import type { WorkRun } from './work-run.ts';

/** A plan that is running, with its options. */
export interface PlanRun extends WorkRun {
  around: PlanContext & { git: WorktreeContext };
  /** The folder with the JSON Schemas of gate files. */
  schemas: string;
  /** The person on whose behalf a gate file is filled in. */
  person: By;
}
