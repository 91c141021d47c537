import type { Ledger } from '../../ledger/ledger.ts';
import type { Plan } from '../../plan/grammar/plan.ts';
import type { By } from '../../schema/actor.ts';
import type { Here } from '../worktrees/here.ts';
import type { WorktreeContext } from '../worktrees/worktree-context.ts';

/** Where things are checked out. */
export interface Checkouts {
  /** Where the feature's plan is read and written: its own checkout, otherwise the main one. */
  feature: string;
  /** The branch of the checkout in which the command was called. */
  branch: string | undefined;
}

/** A plan, its location, and the caller's location. */
export interface PlanContext {
  ledger: Ledger;
  projectId: string;
  by: By;
  /** The folder in which the command was called. */
  cwd: string;
  /** The project's storage outside the repository. */
  storage: string;
  /** Undefined outside a git repository. */
  git: WorktreeContext | undefined;
  /** The fence of the caller's claim, if the caller holds the task itself. */
  fence?: number;
  here: Here;
  checkouts: Checkouts;
  /** The plan's own folder, and its name. */
  folder: string;
  name: string;
  /** With the terms that a person approved. */
  plan: Plan;
  /** As written in its files. */
  written: Plan;
}

export type Surroundings = Omit<PlanContext, 'folder' | 'name' | 'plan' | 'written'>;
