import type { Arguments } from './arguments.ts';
import { type Decision, streamClosed } from './decision.ts';
import type { Messages } from './messages.ts';
import type { Output } from './output.ts';
import { ASK_TOOL, type Filling } from './questions.ts';
import type { Behaviour, LoadedScenario } from './scenario.ts';
import type { Call, SessionLog, StateFolder } from './session-log.ts';

/** Everything that a turn needs. */
export interface Stage {
  scenario: LoadedScenario;
  behaviour: Behaviour;
  messages: Messages;
  output: Output;
  session: SessionLog;
  state: StateFolder;
  host: Host;
  /** Whether the question tool exists. */
  canAsk: boolean;
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
  cwd: string;
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

export interface Need {
  /** The person has to allow it. */
  permission: boolean;
  takeBackAfterMs?: number;
}

/** The process that started the agent, if it can be asked. */
export interface Host {
  readonly permissionMode: string;
  decide(call: Call, need: Need): Promise<Decision>;
  /** Settles when the current turn is interrupted. */
  interruption(): Promise<void>;
}

/** Whether the question tool is in the list of tools. */
export function offersQuestions(args: Arguments, behaviour: Behaviour, canAsk: boolean): boolean {
  return canAsk && (args.permissionTool !== undefined || behaviour.unattendedQuestion !== 'no_tool');
}

/** Nobody can be asked, because the prompt is on the command line and there is no channel back. */
export class NoHost implements Host {
  readonly #args: Arguments;
  readonly #behaviour: Behaviour;

  constructor(args: Arguments, behaviour: Behaviour) {
    this.#args = args;
    this.#behaviour = behaviour;
  }

  get permissionMode(): string {
    return this.#args.permissionMode;
  }

  async decide(call: Call, need: Need): Promise<Decision> {
    const bypassed = this.#args.permissionMode === 'bypassPermissions' && call.tool !== ASK_TOOL;
    if (!need.permission || bypassed) return { kind: 'allowed', input: call.input, how: 'control' };
    if (call.tool === ASK_TOOL && this.#behaviour.unattendedQuestion === 'ends') return { kind: 'ends' };
    if (this.#args.permissionTool) return streamClosed(false);
    const message =
      call.tool === ASK_TOOL
        ? 'Answer questions?'
        : `Claude requested permissions to use ${call.tool}, but you haven't granted it yet.`;
    return { kind: 'denied', message, interrupt: false };
  }

  interruption(): Promise<void> {
    return new Promise(() => undefined);
  }
}
