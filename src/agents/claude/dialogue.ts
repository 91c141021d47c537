import type { Notification } from '../../schema/notification.ts';
import type { AgentEvent, Remark } from '../driver.ts';
import type { StreamEvent } from '../stream/events.ts';
import type { Outgoing } from './wire.ts';

/** What a dialogue wants done. It decides and remembers; the run has the process, the clocks and the readers. */
export type Action =
  | { do: 'emit'; event: AgentEvent }
  | { do: 'send'; message: Outgoing }
  /** The whole of the input, as plain text; then the input is closed. */
  | { do: 'say'; text: string }
  | { do: 'close' }
  /** The agent has the answer, or will never have it. */
  | { do: 'delivered'; askId: string; delivered: boolean }
  /** Call `due` when nobody has answered for as long as a question is held in the process. */
  | { do: 'hold'; askId: string }
  /** Call `quiet` when the agent has not put its question again by then. */
  | { do: 'listen'; ms: number }
  /** Call `unwoken` when the agent has not begun a turn by then. */
  | { do: 'expect'; ms: number }
  /** The agent is done, and what it left running is ended with it. */
  | { do: 'finish'; message: string }
  /** Such an agent is not to run at all. */
  | { do: 'refuse'; message: string };

/** How a run talks with its agent, in one of the modes. */
export interface Dialogue {
  begin(): Action[];
  hear(event: StreamEvent): Action[];
  /** Whether the question is one that an answer is still awaited for, or on its way to. */
  isOpen(askId: string): boolean;
  answer(askId: string, settled: Notification): Action[];
  permit(id: string, allowed: boolean, remark: Remark): Action[];
  /** A held question was not answered in time. */
  due(askId: string): Action[];
  quiet(): Action[];
  /** A task that ended has had the time to wake the agent. */
  unwoken(): Action[];
  /** The background work has taken longer than the person allows. */
  giveUp(): Action[];
  interrupt(): Action[];
  /** A person has to do something before the agent goes on. */
  readonly isWaiting: boolean;
  /** It ended in order to wait for an answer, which a resumed session will get. */
  readonly isParked: boolean;
  /** The agent was told to do something, and has not said that it is done. */
  readonly isBusy: boolean;
  /** The agent is between two turns, and its background work goes on. */
  readonly isLingering: boolean;
}

export const emit = (event: AgentEvent): Action => ({ do: 'emit', event });
export const send = (message: Outgoing): Action => ({ do: 'send', message });
export const hold = (askId: string): Action => ({ do: 'hold', askId });
