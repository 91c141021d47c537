import type { AgentEvent } from '../agents/driver.ts';
import type { LeaseLoss } from '../agents/run/lease.ts';
import type { Issue } from '../plan/audit/rule.ts';
import type { Attempt } from '../plan/convert/attempt.ts';
import type { SortedQuestions } from '../plan/from-issues/questions.ts';

/** An event during a use case that a person may want to know about. */
export type Report =
  /** Files of the repository are trusted now, because the person said so: in advance, or when asked. */
  | { kind: 'trusted'; files: string[] }
  /** What the audit of a plan warns of. */
  | { kind: 'warnings'; plan: string; folder: string; warnings: Issue[] }
  /** A phase is no longer in the plan, so its questions are withdrawn. */
  | { kind: 'phase_gone'; task: string }
  | { kind: 'already_done'; plan: string }
  | {
      kind: 'running';
      plan: string;
      agent: string;
      featureBranch: string;
      /** Its name and address, if there is one. */
      remote?: string;
      notes: string[];
    }
  | { kind: 'working'; task: string; agent: string; into: string; notes: string[] }
  /** A sentence about one phase or task. */
  | { kind: 'phase'; task: string; phase: string; text: string }
  | { kind: 'agent'; task: string; phase: string; event: AgentEvent }
  /** This run no longer holds the phase. */
  | { kind: 'phase_lost'; task: string; phase: string; why: LeaseLoss }
  /** The current activity; the next report replaces it. */
  | { kind: 'progress'; text: string }
  /** Which questions about issues are asked, and which are not. */
  | ({ kind: 'questions' } & SortedQuestions)
  /** An agent begins to write a plan, or to correct it. */
  | { kind: 'attempt'; number: number; of: number; doing: string }
  /** What that agent does. */
  | { kind: 'activity'; event: AgentEvent }
  | { kind: 'judged'; attempt: Attempt }
  /** The agent has no process while it waits for these answers. */
  | { kind: 'parked'; open: string[] }
  /** A sentence about something else. */
  | { kind: 'notice'; text: string };
