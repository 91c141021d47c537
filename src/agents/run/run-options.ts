import type { Ledger } from '../../ledger/ledger.ts';
import type { By } from '../../schema/actor.ts';
import { isForProcess, isQuestion } from '../../schema/is-question.ts';
import type { Notification } from '../../schema/notification.ts';
import type { Run } from '../../schema/run.ts';
import type { AgentDriver, AgentEvent, AgentSetup, RunEnd } from '../driver.ts';
import type { Patience } from './patience.ts';
import { isUndelivered } from './undelivered.ts';

export interface RunOptions {
  ledger: Ledger;
  driver: AgentDriver;
  setup: AgentSetup;
  /** Told as soon as the run is ours. */
  onRun?(run: Run): void;
  /** Sees every event, for a live view or a log. */
  onEvent?(event: AgentEvent): void;
  /** Told once, with a sentence, when the model is away or the agent has died, and the session is resumed by itself. */
  onRetry?(sentence: string): void;
  /** How long to go on trying then. */
  patience?: Patience;
  /** Told when the agent begins and ceases to wait for an answer: it does nothing meanwhile. */
  onHold?(waits: boolean): void;
  /** Tools that are allowed without asking; everything else that needs permission is a question to a person. */
  allows?(tool: string, input: unknown): boolean;
  /**
   * Who answers the agent (default: `ask`). `assume`: it gets what was decided before, or is told to assume, and that is
   * kept; a person still approves. `nobody`: the same, but nothing is kept, and what needs an approval is refused.
   */
  questions?: 'ask' | 'assume' | 'nobody';
  /** How often the agent may come back with questions before it is stopped, with its last one in the inbox. */
  maxRounds?: number;
  /** The claim on the task that the agent works on: while it waits for an answer alive, the task is kept for it. */
  fence?: number;
  /** Whether another agent starts over when this one fails or takes too long; otherwise the session is kept. */
  startsOver?: boolean;
  /** Where the agent's session lives: a run that began in another home goes on here with a new session. */
  home?: string;
  signal?: AbortSignal;
}

export interface RunOutcome {
  run: Run;
  end: RunEnd;
  /** A person had to answer before the session could be resumed; they may have done so by now. */
  isHeld: boolean;
  /** What the agent has not received yet; it has to be settled before the run can go on. Empty when it has ended. */
  waiting: Notification[];
  /** How often the agent came with questions, over all its processes. */
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
 * An approval or a form is for a process that waits for it: once that is gone, the agent asks again if it needs to. An
 * answer that comes in the same moment is for nobody, either.
 */
export function withdrawApprovals(ledger: Ledger, run: Run, by: By): Promise<void> {
  const isOpen = ({ status }: Notification) => status === 'open';
  return closeApprovals(ledger, run, isOpen, 'The agent that asked for it is gone.', by);
}

/** The run is about to end: what was approved or filled in for it and never used is closed, too. */
export function closeUnusedApprovals(ledger: Ledger, run: Run, by: By): Promise<void> {
  return closeApprovals(ledger, run, isUndelivered, 'The agent ended before it used the answer.', by);
}

/** Only while the run is ours: whoever takes it may have asked for the same by now. */
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

/** The agent asked it itself: the run brings it the answer. A command of the agent waits for its own. */
export const isAskedByRun = (asked: Notification) => isQuestion(asked) && asked.resume?.run !== undefined;
