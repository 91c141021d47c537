import type { AgentDriver, AgentEvent, AgentSetup } from '../../agents/driver.ts';
import type { Surroundings } from '../phases/plan-context.ts';
import type { Reviewer } from '../review/review-work.ts';
import type { OpenWorktree } from '../worktrees/open-worktree.ts';
import type { WorktreeContext } from '../worktrees/worktree-context.ts';
import type { WorkItem } from './work-item.ts';

type Named = Pick<WorkItem, 'taskId' | 'name'>;

/** Work that agents do in worktrees, and with what. */
export interface WorkRun {
  around: Surroundings & { git: WorktreeContext };
  /** What finished work is merged into. */
  featureBranch: string;
  driver: AgentDriver;
  /** What the person asked for, kept with each of its agents so that a later run can go on with the same. */
  agent: { agent: string; agentCommand?: string; model?: string; sandbox?: boolean };
  /** How an agent is started, but for its own worktree and identity. */
  setup: Omit<AgentSetup, 'cwd' | 'mustAsk'>;
  /** Tools that the person allowed for all agents of this run. */
  tools: readonly string[];
  /** Who reviews the work on a task; undefined if the person said that nobody has to. */
  reviewer: ((taskId: string) => Promise<Pick<Reviewer, 'driver' | 'setup' | 'head'>>) | undefined;
  /** For each gate command. */
  gateTimeoutMs: number;
  /** Throws where protocols, prompts or agents' files, those in the worktree too, are not those that a person trusted. */
  confirmTrust(worktree: OpenWorktree): Promise<void>;
  /** Something a person wants to know about a phase or task. */
  tell(item: Named, sentence: string): void;
  onEvent?(item: Named, event: AgentEvent): void;
}
