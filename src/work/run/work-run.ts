import type { AgentDriver, AgentEvent, AgentSetup } from '../../agents/driver.ts';
import type { By } from '../../schema/actor.ts';
import type { PhaseTask } from '../phases/phase-task.ts';
import type { PlanContext, Surroundings } from '../phases/plan-context.ts';
import type { GateCommand } from '../phases/run-gates.ts';
import type { ReviewedText } from '../review/prompt.ts';
import type { Reviewer } from '../review/review-work.ts';
import type { OpenWorktree } from '../worktrees/open-worktree.ts';
import type { WorktreeContext } from '../worktrees/worktree-context.ts';
import type { AgentBrief } from './next-step.ts';
import type { HeldTask } from './task-loop.ts';

/** Work of agents in worktrees, with its options. */
export interface WorkRun {
  around: Surroundings & { git: WorktreeContext };
  /** The branch that finished work is merged into. */
  featureBranch: string;
  driver: AgentDriver;
  /** What the person asked for, stored with each agent so that a later run can continue the same way. */
  agent: { agent: string; agentCommand?: string; model?: string; sandbox?: boolean };
  /** How an agent is started, except for its worktree and identity. */
  setup: Omit<AgentSetup, 'cwd' | 'mustAsk'>;
  /** Tools that the person allowed for all agents of this run. */
  tools: readonly string[];
  /** Who reviews the work on a task; undefined if the person said that nobody has to. */
  reviewer: ((taskId: string) => Promise<Pick<Reviewer, 'driver' | 'setup' | 'head'>>) | undefined;
  /** The timeout of each gate command. */
  gateTimeoutMs: number;
  /** Throws if protocols, prompts or agents' files, including those in the worktree, are not those that a person trusted. */
  confirmTrust(worktree: OpenWorktree): Promise<void>;
  /** Reports something about a phase or task to a person. */
  tell(item: Named, sentence: string): void;
  onEvent?(item: Named, event: AgentEvent): void;
}

type Named = Pick<WorkItem, 'taskId' | 'name'>;

/** A plan that is running, with its options. */
export interface PlanRun extends WorkRun {
  around: PlanContext & { git: WorktreeContext };
  /** The folder with the JSON Schemas of gate files. */
  schemas: string;
  /** The person on whose behalf a gate file is filled in. */
  person: By;
}

/** A task without a plan that is running, with its options. */
export interface TaskRun extends WorkRun {
  /** The project's checks. */
  checks: readonly GateCommand[];
}

/** What agents work on: a phase of a plan, or a task without one. */
export interface WorkItem {
  kind: 'phase' | 'task';
  taskId: string;
  /** Its name in a run: `2-A`, `t3`. */
  name: string;
  title: string;
  /** The prefix of its commits: `Phase 2`, `Task t3`. */
  label: string;
  /** The commands that have to succeed before the merge. */
  gates: readonly GateCommand[];
  protocol: string;
  /** The variables that identify it to its agents' commands. */
  identity: Record<string, string>;
  /** The command that continues it. */
  resume: string;
  /** The part of an agent's prompt about it. */
  input(brief: AgentBrief, worktree: OpenWorktree): Promise<string>;
  /** What a person is told when asked to merge it, because no approved plan asked for it. */
  aboutMerge?(): Promise<string>;
  /** What a reviewer judges the work by. */
  reviewed(): Promise<ReviewedText>;
}

/** A phase or task that we hold. */
export interface HeldWork {
  run: WorkRun;
  held: HeldTask;
  item: WorkItem;
}

/** The same, with its worktree. */
export interface TaskContext extends HeldWork {
  worktree: OpenWorktree;
}

export interface PhaseContext extends TaskContext {
  run: PlanRun;
  at: PhaseTask;
}
