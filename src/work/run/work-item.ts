import type { GateCommand } from '../phases/run-gates.ts';
import type { ReviewedText } from '../review/prompt.ts';
import type { OpenWorktree } from '../worktrees/open-worktree.ts';
import type { AgentBrief } from './next-move.ts';

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
