import type * as z from 'zod';
import type { RunEnd, Usage } from '../agents/driver.ts';
import type { Notification } from '../schema/notification.ts';
import type { Question } from '../schema/question.ts';
import type { Run, RunWork } from '../schema/run.ts';

/** The work that runs in this loop. Tasks and other programs have their own loops. */
export type AssignedWork = Exclude<RunWork, { for: 'task' | 'agent' | 'other' }>;

/**
 * One piece of work for an agent: a prompt made from what happened so far, and a reading of the answer. Everything that
 * happened is in the ledger, so any process can continue at any point. `T` is what an accepted answer becomes; `F` says
 * what is wrong with an answer that is sent back, and must survive JSON.
 */
export interface Assignment<T, F> {
  projectId: string;
  source: Run['source'];
  sourceId: string;
  /** Runs of this asker for the same work belong to this assignment, whichever process started them. */
  work: AssignedWork;
  /** A hash of what an answer will rest on, kept with each run. */
  basis?: (() => string) | undefined;
  /** The schema of what is wrong with an answer that is sent back, to read what an earlier process stored. */
  findings: z.ZodType<F>;
  prompt(past: Past<F>): string;
  read(answer: Answer): Judgement<T, F>;
  /** How many answers the agent may give before we give up. */
  maxAttempts: number;
  /** Whether this process keeps waiting while a person is asked. If not, it ends, and another one continues. */
  waits: boolean;
  /** Called at most once, before anything else, if an earlier process began the attempt or one before it. */
  onResume?: ((attempt: number) => void) | undefined;
  /** Called before an agent starts or resumes. */
  onAttempt?: ((attempt: number) => void) | undefined;
  /** Called when an answer was sent back and another attempt follows. */
  onSentBack?: ((findings: F) => void) | undefined;
  /** Called when the agent has no process while it waits for these. */
  onParked?: ((open: Notification[]) => void) | undefined;
}

/** What happened since an answer was last accepted. */
export interface Past<F> {
  /** What its agents asked, oldest first. */
  asked: Notification[];
  /** The answers that were sent back since it was last given up or came back with questions, oldest first. */
  sentBack: SentBack<F>[];
}

export interface SentBack<F> {
  text: string;
  findings: F;
}

/** The answer of an agent that has finished. */
export interface Answer {
  text: string;
  run: Run;
  /** Which attempt it is, from 1. */
  attempt: number;
  usage: Usage;
  asked: Notification[];
}

export type Judgement<T, F> =
  | { kind: 'accept'; value: T }
  | { kind: 'send_back'; findings: F }
  | { kind: 'ask'; questions: Question[] };

/** How far an assignment came. */
export type Outcome<T, F> = { run: Run; sentBack: SentBack<F>[] } & (
  | { kind: 'accepted'; value: T }
  /** A person has to answer first. */
  | { kind: 'waiting'; open: Notification[] }
  /** The agent did not finish. `said` is what it said until then, over all its processes. */
  | { kind: 'stopped'; end: RunEnd; said: string; waiting: Notification[] }
  /** The last attempt was sent back too. Running the same command again starts over. */
  | { kind: 'given_up' }
);
