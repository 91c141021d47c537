import type { ControlHost } from './control-host.ts';
import type { Identity } from './messages.ts';
import type { Output } from './output.ts';
import type { Filling } from './questions.ts';
import type { LoadedScenario } from './scenario.ts';
import type { Call, SessionLog, StateFolder } from './session-log.ts';

/** Everything that a turn needs. */
export interface Stage extends Identity {
  scenario: LoadedScenario;
  output: Output;
  session: SessionLog;
  state: StateFolder;
  host: ControlHost;
  /** Whether somebody at the other end can be asked. */
  attended: boolean;
  /** The invocation that this process claimed when it began a session; its first turn plays it. */
  claimed: number[];
  ignoreSigterm(ignore: boolean): void;
  /** Reports the state to a host that asked for it. */
  tellState(state: 'running' | 'requires_action' | 'idle'): void;
  /** How this process was started. */
  args: string[];
  resumed?: string;
  /** What the person wrote during the turn; the model gets it with the next result. */
  takeMessages(): string[];
}

/** What a step led to. */
export type Flow =
  | { kind: 'on' }
  /** A person answered. */
  | { kind: 'answered' }
  | { kind: 'parked'; call: Call; alone: boolean }
  /** Ended with a question, to be resumed with the answer. */
  | { kind: 'waits' }
  | { kind: 'interrupted' }
  | { kind: 'failed'; message: string }
  | { kind: 'exit'; code: number };

export const ON: Flow = { kind: 'on' };

const WEIGHT = { on: 0, answered: 1, waits: 2, parked: 3, failed: 4, interrupted: 5, exit: 6 };

/** The most important of several outcomes; the last one if they are equal. */
export function heaviest(flows: readonly Flow[]): Flow {
  return flows.reduce((a, b) => (WEIGHT[b.kind] >= WEIGHT[a.kind] ? b : a), ON);
}

export function fillingOf(stage: Stage, prompt: string): Filling {
  const { session } = stage;
  return { given: session.standing.given, prompt, sessionId: session.id };
}
