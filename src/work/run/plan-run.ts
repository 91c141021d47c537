import type { AgentDriver, AgentEvent, AgentSetup } from '../../agents/driver.ts';
import type { By } from '../../schema/actor.ts';
import type { PhaseTask } from '../phases/phase-task.ts';
import type { PlanContext } from '../phases/plan-context.ts';
import type { Reviewer } from '../review/review-phase.ts';
import type { OpenWorktree } from '../worktrees/open-worktree.ts';
import type { WorktreeContext } from '../worktrees/worktree-context.ts';

/** A plan that is being run, and with what. */
export interface PlanRun {
  place: PlanContext & { git: WorktreeContext };
  /** What phases are merged into. */
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
  /** Where the JSON Schemas of gate files lie. */
  schemas: string;
  /** For each gate command. */
  gateTimeoutMs: number;
  /** In whose name a gate file is filled in. */
  person: By;
  /** Throws where protocols, prompts or agents' files, those in the worktree too, are not those that a person trusted. */
  confirmTrust(worktree: OpenWorktree): Promise<void>;
  /** Something a person wants to know about a phase. */
  tell(at: PhaseTask, sentence: string): void;
  onEvent?(at: PhaseTask, event: AgentEvent): void;
}
