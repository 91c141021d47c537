import type { Notification } from '../../schema/notification.ts';
import type { AgentEvent, Remark } from '../driver.ts';
import type { StreamEvent } from '../stream/events.ts';
import type { Outgoing } from './wire.ts';

/** What a dialogue wants done. The dialogue decides and keeps the state; the run owns the process, the timers and the readers. */
export type Action =
  | { do: 'emit'; event: AgentEvent }
  | { do: 'send'; message: Outgoing }
  /** The entire input, as plain text; stdin is closed after it. */
  | { do: 'say'; text: string }
  | { do: 'close' }
  /** Whether the agent has the answer; false means that it never will. */
  | { do: 'delivered'; askId: string; delivered: boolean }
  /** Call `due` if nobody has answered within the time a question is held. */
  | { do: 'hold'; askId: string }
  /** Call `quiet` if the agent has not repeated its question by then. */
  | { do: 'listen'; ms: number }
  /** Call `unwoken` if the agent has not begun a turn by then. */
  | { do: 'expect'; ms: number }
  /** The agent is done; end whatever it left running. */
  | { do: 'finish'; message: string }
  /** Do not run this agent. */
  | { do: 'refuse'; message: string };

/** How a run talks to its agent in one of the modes. */
export interface Dialogue {
  begin(): Action[];
  hear(event: StreamEvent): Action[];
  /** Whether the question still waits for an answer, or an answer is on its way. */
  isOpen(askId: string): boolean;
  answer(askId: string, settled: Notification): Action[];
  permit(id: string, allowed: boolean, remark: Remark): Action[];
  /** A held question was not answered in time. */
  due(askId: string): Action[];
  quiet(): Action[];
  /** The time in which a finished task may wake the agent is over. */
  unwoken(): Action[];
  /** The background work took longer than the person allows. */
  giveUp(): Action[];
  interrupt(): Action[];
  /** A person has to act before the agent can continue. */
  readonly isWaiting: boolean;
  /** The run ended in order to wait for an answer; the resumed session will get it. */
  readonly isParked: boolean;
  /** The agent was given work and has not reported that it is done. */
  readonly isBusy: boolean;
  /** The agent is between two turns while background work is still running. */
  readonly isLingering: boolean;
}

export const emit = (event: AgentEvent): Action => ({ do: 'emit', event });
export const send = (message: Outgoing): Action => ({ do: 'send', message });
export const hold = (askId: string): Action => ({ do: 'hold', askId });
