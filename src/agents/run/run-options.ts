import type { Ledger } from '../../ledger/ledger.ts';
import type { By } from '../../schema/actor.ts';
import { isForProcess, isQuestion } from '../../schema/is-question.ts';
import type { Notification } from '../../schema/notification.ts';
import type { Run, RunEnding } from '../../schema/run.ts';
import type { AgentDriver, AgentEvent, AgentSetup, RunEnd } from '../driver.ts';
import type { ResumePauses } from './patience.ts';
import { isUndelivered } from './transcript.ts';

export interface RunOptions {
  ledger: Ledger;
  driver: AgentDriver;
  setup: AgentSetup;
  /** Called as soon as we hold the run. */
  onRun?(run: Run): void;
  /** Gets every event, for a live view or a log. */
  onEvent?(event: AgentEvent): void;
  /** Called once, with a sentence, if the model is unreachable or the agent died and the session is resumed automatically. */
  onRetry?(sentence: string): void;
  /** How long to keep retrying in that case. */
  patience?: ResumePauses;
  /** Called when the agent starts and stops waiting for an answer; it does nothing in between. */
  onHold?(waits: boolean): void;
  /** Throws if the request for this run was withdrawn. */
  confirm?(): Promise<unknown>;
  /** Tools that are allowed without asking. A person is asked about everything else that needs permission. */
  allows?(tool: string, input: unknown): boolean;
  /**
   * Who answers the agent (default: `ask`). `assume`: the agent gets earlier decisions or is told to assume, and both are
   * recorded; a person still approves. `nobody`: the same, but nothing is recorded, and what needs an approval is
   * refused.
   */
  questions?: 'ask' | 'assume' | 'nobody';
  /**
   * Makes sure that nobody can lose what the agent made; only then has its run ended. Calls `mark` with the commit that has it
   * before anyone else can get that.
   */
  keep?(end: RunEnding, mark: (commit: string) => Promise<void>): Promise<void>;
  /** Whether this checkout has everything up to a commit. */
  has?(commit: string): Promise<boolean>;
  /** How often the agent may come back with questions before it is stopped, with its last one in the inbox. */
  maxRounds?: number;
  /** The claim on the agent's task, which stays claimed while the agent waits for an answer. */
  fence?: number;
  /** Whether another agent starts over if this one fails or takes too long; otherwise the session is kept. */
  startsOver?: boolean;
  signal?: AbortSignal;
}

export interface RunOutcome {
  run: Run;
  end: RunEnd;
  /** A person had to answer before the session could be resumed; they may have done so by now. */
  isHeld: boolean;
  /** What the agent has not received yet. It must be settled before the run can continue. Empty if the run has ended. */
  waiting: Notification[];
  /** How often the agent asked questions, over all its processes. */
  rounds: number;
}

/** A parked agent continues with its answers, and so does one that died with a question open. Others would only fail again. */
export function waitsForPerson({ end, isHeld, waiting }: RunOutcome): boolean {
  if (end.reason === 'too_many_rounds') return false;
  return isHeld || end.reason === 'parked' || waiting.some(({ status }) => status === 'open');
}

export const agentOf = ({ name }: Pick<AgentDriver, 'name'>): By => ({
  actor: { kind: 'agent', name },
  channel: 'agent',
});

/**
 * An approval or a form belongs to a process that waits for it. Once that is gone, the agent asks again if it needs to,
 * and an answer that arrives at the same moment has no recipient either.
 */
export function withdrawApprovals(ledger: Ledger, run: Run, by: By): Promise<void> {
  const isOpen = ({ status }: Notification) => status === 'open';
  return closeApprovals(ledger, run, isOpen, 'The agent that asked for it is gone.', by);
}

/** The run is about to end: also closes approvals and forms that were answered but never used. */
export function closeUnusedApprovals(ledger: Ledger, run: Run, by: By): Promise<void> {
  return closeApprovals(ledger, run, isUndelivered, 'The agent ended before it used the answer.', by);
}

/** Closes approvals only while we hold the run, because its next holder may already have asked for the same. */
async function closeApprovals(
  { runs, notifications }: Ledger,
  run: Run,
  isClosed: (approval: Notification) => boolean,
  reason: string,
  by: By,
): Promise<void> {
  const { projectId } = run;
  for (const each of await runs.questions(projectId, run.id)) {
    if (isForProcess(each) && isClosed(each)) await notifications.lapse(projectId, each.id, reason, by, run);
  }
}

/** The agent asked it itself, so the run delivers the answer. A command of the agent waits for its own answer. */
export const isAskedByRun = (asked: Notification) => isQuestion(asked) && asked.resume?.run !== undefined;
