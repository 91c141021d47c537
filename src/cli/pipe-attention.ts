import { asked, openIn } from '../channels/asked.ts';
import { pipeItemsOf } from '../channels/pipe/pipe-question.ts';
import type { Notification } from '../schema/notification.ts';
import type { CommandContext } from './command-context.ts';
import { openPipe } from './pipe.ts';

/** Asks a parent process the agents' questions while they work, one at a time. */
export class PipeAttention {
  readonly #session: CommandContext;
  readonly #gaveUp = new Set<string>();

  constructor(context: CommandContext) {
    this.#session = context;
  }

  /** Runs until the signal. True if a person interrupted it in the terminal that was asked instead. */
  async attend(
    projectId: string,
    concerns: (notification: Notification) => boolean,
    signal: AbortSignal,
  ): Promise<boolean> {
    const pipe = openPipe(this.#session);
    try {
      for await (const notification of asked(this.#session.ledger, projectId, concerns, signal)) {
        if (!(await pipe.askAll(pipeItemsOf(notification), signal))) return !signal.aborted;
        // If it is still open, nobody answered in time. A late answer is accepted but not waited for.
        this.#gaveUp.add(notification.id);
      }
      return false;
    } finally {
      await pipe.close();
    }
  }

  /** Whether an answer may still come: false if every open question was asked and timed out. */
  async expectsAnswers(
    projectId: string,
    concerns: (notification: Notification) => boolean,
  ): Promise<boolean> {
    const open = (await openIn(this.#session.ledger, projectId)).filter(concerns);
    return open.length === 0 || open.some(({ id }) => !this.#gaveUp.has(id));
  }
}
