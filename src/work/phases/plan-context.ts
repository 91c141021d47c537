import type { Ledger } from '../../ledger/ledger.ts';
import type { Plan } from '../../plan/grammar/plan.ts';
import type { By } from '../../schema/actor.ts';
import type { Here } from '../worktrees/here.ts';
import type { WorktreeContext } from '../worktrees/worktree-context.ts';

/** Where things are checked out. */
export interface Checkouts {
  /** Where the feature's plan is read and written: its own checkout, else the main one. */
  feature: string;
  /** The branch of the checkout that the command was called in. */
  branch: string | undefined;
}

/** A plan, where it lies, and from where it is worked on. */
export interface PlanContext {
  ledger: Ledger;
  projectId: string;
  by: By;
  /** The folder in which the command was called. */
  cwd: string;
  /** What is kept for this project outside of the repository. */
  storage: string;
  /** Undefined outside of a git repository. */
  git: WorktreeContext | undefined;
  /** The number of the claim under which the caller works, where it holds the task itself. */
  fence?: number;
  here: Here;
  checkouts: Checkouts;
  /** The plan's own folder, and its name. */
  folder: string;
  name: string;
  /** With the terms that a person approved. */
  plan: Plan;
  /** As its files have it. */
  written: Plan;
}

export type Surroundings = Omit<PlanContext, 'folder' | 'name' | 'plan' | 'written'>;
