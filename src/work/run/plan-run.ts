import type { By } from '../../schema/actor.ts';
import type { PlanContext } from '../phases/plan-context.ts';
import type { WorktreeContext } from '../worktrees/worktree-context.ts';
import type { WorkRun } from './work-run.ts';

/** A plan that is being run, and with what. */
export interface PlanRun extends WorkRun {
  around: PlanContext & { git: WorktreeContext };
  /** Where the JSON Schemas of gate files lie. */
  schemas: string;
  /** In whose name a gate file is filled in. */
  person: By;
}
