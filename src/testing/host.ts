import type { Arguments } from './arguments.ts';
import type { Behaviour } from './behaviour.ts';
import { type Decision, streamClosed } from './decision.ts';
import { ASK_TOOL } from './question-call.ts';
import type { Call } from './session-log.ts';

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
