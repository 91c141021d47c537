import { asked, openIn } from '../channels/asked.ts';
import type { PipeConversation } from '../channels/pipe/pipe-conversation.ts';
import { pipeItemsOf } from '../channels/pipe/pipe-question.ts';
import { isForProcess } from '../schema/is-question.ts';
import type { Notification } from '../schema/notification.ts';
import type { CommandContext } from './command-context.ts';
import { openPipe } from './pipe.ts';

/** Asks a parent process the agents' questions while they work, one at a time. */
export class PipeAttention {
  readonly #session: CommandContext;
  readonly #keepMs: number;
  /** When the pipe stopped waiting for each. */
  readonly #gaveUp = new Map<string, number>();
  #pipe: PipeConversation | undefined;

  /** Keeps the process of an agent this long, if only that process can use a late answer. */
  constructor(context: CommandContext, keepMs = 0) {
    this.#session = context;
    this.#keepMs = keepMs;
  }

  /** Runs until the signal. True if a person interrupted it in the terminal that was asked instead. */
  async attend(
    projectId: string,
    concerns: (notification: Notification) => boolean,
    signal: AbortSignal,
  ): Promise<boolean> {
    const pipe = openPipe(this.#session);
    this.#pipe = pipe;
    try {
      for await (const notification of asked(this.#session.ledger, projectId, concerns, signal)) {
        if (!(await pipe.askAll(pipeItemsOf(notification), signal))) return !signal.aborted;
        // If it is still open, nobody answered in time. A late answer is accepted but not waited for.
        this.#gaveUp.set(notification.id, Date.now());
      }
      return false;
    } finally {
      await pipe.close();
    }
  }

  /** Whether to wait for an answer: false if every open question was asked and timed out. */
  async expectsAnswers(
    projectId: string,
    concerns: (notification: Notification) => boolean,
  ): Promise<boolean> {
    const open = (await openIn(this.#session.ledger, projectId)).filter(concerns);
    return open.length === 0 || open.some((notification) => this.#mayComeInTime(notification));
  }

  #mayComeInTime(notification: Notification): boolean {
    const since = this.#gaveUp.get(notification.id);
    if (since === undefined) return true;
    return isForProcess(notification) && this.#pipe?.isOpen === true && Date.now() - since < this.#keepMs;
  }
}
