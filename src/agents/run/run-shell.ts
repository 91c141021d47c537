import { MAX_TIMER } from '../../config/duration.ts';
import {
  type AgentEvent,
  type AgentRun,
  type AgentSetup,
  type EndReason,
  noUsage,
  type RunEnd,
} from '../driver.ts';
import type { AgentProcess } from '../process/agent-process.ts';
import { type EndCause, stopped, timedOut } from './end.ts';

interface ShellOptions {
  setup: Pick<AgentSetup, 'timeoutMs'>;
  /** The agent's name in messages. */
  name(): string;
  /** Takes what the program wrote to stdout. If it throws, the run ends. */
  read(chunk: Buffer): void;
  /** The program will write nothing more. The same holds. */
  endOfOutput?(): void;
  /** How long the program may take to exit after SIGTERM, if not the default. */
  graceMs?: number;
}

/** What every run of an agent program has: its process, its events, the working clock, and why we ended it. */
export class RunShell {
  readonly process: AgentProcess;
  readonly events: PacedEvents<AgentEvent>;
  readonly #options: ShellOptions;
  readonly #clock: WorkingClock;
  #verdict: EndCause | undefined;

  constructor(process: AgentProcess, options: ShellOptions) {
    const { setup, name } = options;
    const { stdout } = process;
    this.process = process;
    this.#options = options;
    this.events = new PacedEvents(() => stdout.resume());
    this.#clock = new WorkingClock(setup.timeoutMs, () => this.end(timedOut(name(), setup)));
    this.#clock.set(true);
    stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    stdout.on('end', () => this.#attempt(() => options.endOfOutput?.()));
    void process.unattended.then(() => this.stop());
    void process.ended.then(() => this.#clock.stop());
  }

  /** Why we ended the run; undefined while we have not. */
  get cause(): EndCause | undefined {
    return this.#verdict;
  }

  /** `isWorking` is false while the run waits for a person, who may take as long as they like. */
  keepTime(isWorking: boolean): void {
    this.#clock.set(isWorking);
  }

  /** Sends SIGTERM with the input still open, so that the program saves its session before it exits. The first cause counts. */
  end(cause: EndCause): void {
    if (this.#verdict) return;
    this.#verdict = cause;
    this.process.stdout.resume();
    void this.process.stop('SIGTERM', this.#options.graceMs);
  }

  stop(): void {
    this.end(stopped(this.#options.name()));
  }

  /** Nothing that an agent prints may end this process, not even by an error of ours. */
  #attempt(take: () => void): void {
    try {
      take();
    } catch (error) {
      const message = `${this.#options.name()} printed what Fermata cannot read: ${(error as Error).message}`;
      this.end({ reason: 'failed', message });
    }
  }

  #read(chunk: Buffer): void {
    this.#attempt(() => this.#options.read(chunk));
    this.events.read(chunk.length);
    if (this.events.isFull && !this.#verdict) this.process.stdout.pause();
  }
}

/** Counts down only while the agent works, because a person may take as long as they like. */
class WorkingClock {
  readonly #onEnd: () => void;
  #leftMs: number;
  #since: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(limitMs: number | undefined, onEnd: () => void) {
    this.#leftMs = limitMs ?? Number.POSITIVE_INFINITY;
    this.#onEnd = onEnd;
  }

  /** `working` is false while the run waits for a person. */
  set(working: boolean): void {
    if (working === (this.#since !== undefined) || this.#leftMs === Number.POSITIVE_INFINITY) return;
    if (!working) {
      this.#pause();
      return;
    }
    this.#since = Date.now();
    this.#timer = setTimeout(this.#onEnd, Math.min(this.#leftMs, MAX_TIMER));
  }

  stop(): void {
    this.#pause();
    this.#leftMs = Number.POSITIVE_INFINITY;
  }

  #pause(): void {
    clearTimeout(this.#timer);
    if (this.#since !== undefined) this.#leftMs = Math.max(0, this.#leftMs - (Date.now() - this.#since));
    this.#since = undefined;
  }
}

/** How many events, and how much output, may be unread before the agent is paused. */
const MAX_WAITING = 1000;
const MAX_BYTES = 32 * 1024 * 1024;

/** Hands values to one `for await` reader, in order, and reports when the reader has caught up. */
export class PacedEvents<T> implements AsyncIterable<T> {
  readonly #values: T[] = [];
  readonly #onRoom: () => void;
  #bytes = 0;
  #isClosed = false;
  #wake: () => void = () => undefined;

  constructor(onRoom: () => void = () => undefined) {
    this.#onRoom = onRoom;
  }

  get isFull(): boolean {
    return this.#values.length >= MAX_WAITING || this.#bytes >= MAX_BYTES;
  }

  /** Counts the bytes that were read; the reader has seen all of them once the queue is empty. */
  read(bytes: number): void {
    this.#bytes = this.#values.length === 0 ? 0 : this.#bytes + bytes;
  }

  push(value: T): void {
    if (this.#isClosed) return;
    this.#values.push(value);
    this.#wake();
  }

  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for (;;) {
      while (this.#values.length > 0) {
        const value = this.#values.shift() as T;
        if (this.#values.length === 0) this.#bytes = 0;
        if (this.#values.length < MAX_WAITING / 2 && this.#bytes < MAX_BYTES) this.#onRoom();
        yield value;
      }
      if (this.#isClosed) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/** A run that could not begin: it has no events and ends at once, with the reason. */
export function failedRun(reason: EndReason, message: string): AgentRun {
  const end: RunEnd = {
    reason,
    message,
    text: '',
    usage: noUsage,
    exitCode: null,
    signal: null,
    stderrTail: '',
    skippedLines: 0,
  };
  const events = new PacedEvents<never>();
  events.close();
  const ended = Promise.resolve(end);
  return {
    events,
    ended,
    answer: async () => false,
    permit: async () => false,
    interrupt: async () => undefined,
    stop: () => ended,
  };
}
