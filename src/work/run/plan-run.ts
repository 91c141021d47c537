import type { AgentDriver, AgentEvent, AgentSetup } from '../../agents/driver.ts';
import type { By } from '../../schema/actor.ts';
import type { PhaseAtWork } from '../phases/phase-at-work.ts';
import type { PlanPlace } from '../phases/plan-place.ts';
import type { Place } from '../worktrees/place.ts';

/** A plan that is being run, and with what. */
export interface PlanRun {
  place: PlanPlace & { git: Place };
  /** What phases are merged into. */
  featureBranch: string;
  driver: AgentDriver;
  /** What the person asked for, kept with each of its agents so that a later run can go on with the same. */
  agent: { agent: string; agentCommand?: string; model?: string };
  /** How an agent is started, but for its own worktree and identity. */
  setup: Omit<AgentSetup, 'cwd' | 'mustAsk'>;
  /** Tools that the person allowed for all agents of this run. */
  tools: readonly string[];
  /** Folder with our commands, for the agents' PATH. */
  commands: string;
  /** Where the JSON Schemas of gate files lie. */
  schemas: string;
  /** For each gate command. */
  gateTimeoutMs: number;
  /** In whose name a gate file is filled in. */
  person: By;
  /** Something a person wants to know about a phase. */
  tell(at: PhaseAtWork, sentence: string): void;
  onEvent?(at: PhaseAtWork, event: AgentEvent): void;
}
