import type { GateCommand } from '../phases/run-gates.ts';
import type { ReviewedText } from '../review/prompt.ts';
import type { OpenWorktree } from '../worktrees/open-worktree.ts';
import type { AgentBrief } from './next-move.ts';

/** What agents are sent out for: a phase of a plan, or a task without one. */
export interface WorkItem {
  kind: 'phase' | 'task';
  taskId: string;
  /** How a run calls it: `2-A`, `t3`. */
  name: string;
  title: string;
  /** How its commits begin: `Phase 2`, `Task t3`. */
  label: string;
  /** The commands that have to succeed before it is merged. */
  gates: readonly GateCommand[];
  /** The steps by which it is done. */
  protocol: string;
  /** What the commands of its agents know it by. */
  identity: Record<string, string>;
  /** The command that continues it. */
  resume: string;
  /** The part of an agent's prompt that is about it. */
  input(brief: AgentBrief, worktree: OpenWorktree): Promise<string>;
  /** What a person is told who is asked to merge it, because no approved plan asked for it. */
  aboutMerge?(): Promise<string>;
  /** What a reviewer judges the work by. */
  reviewed(): Promise<ReviewedText>;
}
