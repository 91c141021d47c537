import { asked, openIn } from '../channels/asked.ts';
import { pipeItemsOf } from '../channels/pipe/pipe-question.ts';
import type { Notification } from '../schema/notification.ts';
import type { CommandContext } from './command-context.ts';
import { openPipe } from './pipe.ts';

/** Asks a parent process what agents want to know while they work, one question at a time. */
export class PipeAttention {
  readonly #session: CommandContext;
  readonly #gaveUp = new Set<string>();

  constructor(context: CommandContext) {
    this.#session = context;
  }

  /** Until the signal. True when a person broke it off, in the terminal that was asked instead. */
  async attend(
    projectId: string,
    concerns: (notification: Notification) => boolean,
    signal: AbortSignal,
  ): Promise<boolean> {
    const pipe = openPipe(this.#session);
    try {
      for await (const notification of asked(this.#session.ledger, projectId, concerns, signal)) {
        if (!(await pipe.askAll(pipeItemsOf(notification), signal))) return !signal.aborted;
        // Where it is open still, nobody answered in time. A late answer is taken, but not waited for.
        this.#gaveUp.add(notification.id);
      }
      return false;
    } finally {
      await pipe.close();
    }
  }

  /** Whether an answer may still come: not if every open question was asked and its time is over. */
  async expectsAnswers(
    projectId: string,
    concerns: (notification: Notification) => boolean,
  ): Promise<boolean> {
    const open = (await openIn(this.#session.ledger, projectId)).filter(concerns);
    return open.length === 0 || open.some(({ id }) => !this.#gaveUp.has(id));
  }
}
