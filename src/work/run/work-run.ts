import type { AgentDriver, AgentEvent, AgentSetup } from '../../agents/driver.ts';
import type { Surroundings } from '../phases/plan-context.ts';
import type { Reviewer } from '../review/review-work.ts';
import type { OpenWorktree } from '../worktrees/open-worktree.ts';
import type { WorktreeContext } from '../worktrees/worktree-context.ts';
import type { WorkItem } from './work-item.ts';

type Named = Pick<WorkItem, 'taskId' | 'name'>;

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
