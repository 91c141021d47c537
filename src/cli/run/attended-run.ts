import type { Asker, Concern } from '../../work/context.ts';
import { tasksWithin } from '../../work/phases/phase-task.ts';
import type { Report } from '../../work/report.ts';
import { attended } from '../agents/attended.ts';
import { isAtTerminal } from '../at-terminal.ts';
import type { CommandContext } from '../command-context.ts';
import { PipeAttention } from '../pipe-attention.ts';
import { tellReport } from '../tell-report.ts';
import { trustContext } from '../trust/require-trust.ts';
import { RunFollower } from './follow-run.ts';

interface Attention {
  /** Whether to ask in this terminal, if there is one. */
  prompt: boolean;
  /** Whether to keep waiting when everything left waits for a person. */
  wait?: boolean | undefined;
  /** Whether the parent process is asked instead. */
  usesPipe: boolean;
  parkAfterMs: number;
}

/** A run of a plan or task, shown to a person at this terminal or a parent process, who is also asked. */
export class AttendedRun {
  readonly #session: CommandContext;
  readonly #stop: AbortController;
  readonly #attention: Attention;
  readonly #pipe: PipeAttention | undefined;
  #follower: RunFollower | undefined;

  constructor(context: CommandContext, stop: AbortController, attention: Attention) {
    this.#session = context;
    this.#stop = stop;
    this.#attention = attention;
    this.#pipe = attention.usesPipe ? new PipeAttention(context, attention.parkAfterMs) : undefined;
  }

  get asker(): Asker {
    return {
      ...trustContext(this.#session, this.#attention).ask,
      during: (concern, work) => this.#during(concern, work),
      stays: ({ projectId, concerns }) => {
        const { prompt, wait } = this.#attention;
        if ((prompt && isAtTerminal()) || wait) return true;
        return this.#pipe?.expectsAnswers(projectId, concerns) ?? false;
      },
    };
  }

  readonly report = (event: Report): void => {
    if (this.#follower) this.#follower.report(event);
    else tellReport(event);
  };

  async #during<T>({ projectId, plan, task, concerns }: Concern, work: () => Promise<T>): Promise<T> {
    const { ledger } = this.#session;
    const within = task === undefined ? tasksWithin(plan ?? '') : { id: task };
    const follower = new RunFollower({ ledger, projectId, within });
    this.#follower = follower;
    this.#stop.signal.addEventListener('abort', () => follower.stopping());
    const onAsking = (asking: boolean) => follower.asking(asking);
    const { prompt } = this.#attention;
    const attention = {
      projectId,
      concerns,
      stop: this.#stop,
      prompt,
      pipe: this.#pipe,
      onAsking,
      above: follower.above,
    };
    try {
      return await attended(this.#session, attention, work);
    } finally {
      follower.stop();
      this.#follower = undefined;
    }
  }
}
