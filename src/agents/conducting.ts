import type { Ledger } from '../ledger/ledger.ts';
import type { By } from '../schema/actor.ts';
import type { Notification } from '../schema/notification.ts';
import type { Run } from '../schema/run.ts';
import type { AgentDriver, AgentEvent, AgentSetup, RunEnd } from './driver.ts';

export interface Conducting {
  ledger: Ledger;
  driver: AgentDriver;
  setup: AgentSetup;
  /** Told as soon as the run is ours. */
  onRun?(run: Run): void;
  /** Sees every event, for a live view or a log. */
  onEvent?(event: AgentEvent): void;
  /** Told when the agent begins and ceases to wait for an answer: it does nothing meanwhile. */
  onHold?(waits: boolean): void;
  /** Tools that are allowed without asking; everything else that needs permission is a question to a person. */
  allows?(tool: string, input: unknown): boolean;
  /** `assume`: nobody is asked; the agent is told to assume, on record (default: `ask`). */
  questions?: 'ask' | 'assume';
  /** How often the agent may come back with questions before it is stopped. */
  maxRounds?: number;
  /** The claim on the task that the agent works on: while it waits for an answer alive, the task is kept for it. */
  fence?: number;
  signal?: AbortSignal;
}

export interface Conducted {
  run: Run;
  end: RunEnd;
  /** What the agent has not received yet; it has to be settled before the run can go on. Empty when it has ended. */
  waiting: Notification[];
  /** How often the agent came with questions, over all its processes. */
  rounds: number;
}

export const agentOf = ({ name }: Pick<AgentDriver, 'name'>): By => ({
  actor: { kind: 'agent', name },
  channel: 'agent',
});

/** A permission is for a process that waits for it: once that is gone, the agent asks for it again if it needs it. */
export async function withdrawApprovals(ledger: Ledger, { projectId, id }: Run, by: By): Promise<void> {
  for (const { id: asked, status, source } of await ledger.runs.questions(projectId, id)) {
    if (source !== 'approval' || status !== 'open') continue;
    await ledger.notifications.withdraw(projectId, asked, 'The agent that asked for it is gone.', by);
  }
}

export const isQuestion = (notification: Notification) => notification.source !== 'approval';

export const isUndelivered = ({ status }: Notification) => status !== 'delivered' && status !== 'recorded';
