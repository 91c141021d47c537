import { describeLimit, LONGEST_TIMER } from '../../../config/duration.ts';
import type { Notification } from '../../../schema/notification.ts';
import type { AgentEvent, AgentRun, AgentSetup, RunEnd } from '../../driver.ts';
import { AgentProcess, type Exit } from '../../process/agent-process.ts';
import { AgentStream } from '../../stream/agent-stream.ts';
import type { StreamEvent } from '../../stream/events.ts';
import { WorkingClock } from '../working-clock.ts';
import { Deliveries } from './deliveries.ts';
import { runEnd, type Verdict } from './end.ts';
import { PacedEvents } from './paced-events.ts';
import type { Program } from './program.ts';
import { type Action, emit, type Session } from './session.ts';
import { encode } from './wire.ts';

export interface Launched {
  name: string;
  setup: AgentSetup;
  program: Program;
  session: Session;
  /** The session that is resumed. */
  sessionId?: string;
}

/** How long the program may take to end by itself, once it has nothing left to do. */
const LAST_STEPS_MS = 10_000;

/** A session with its process: does what the session decides, and tells the reader. */
export class ClaudeRun implements AgentRun {
  readonly ended: Promise<RunEnd>;
  readonly #launched: Launched;
  readonly #process: AgentProcess;
  readonly #stream: AgentStream;
  readonly #events: PacedEvents<AgentEvent>;
  readonly #deliveries = new Deliveries();
  readonly #clock: WorkingClock;
  readonly #timers = new Set<NodeJS.Timeout>();
  #verdict: Verdict | undefined;
  #isInterrupted = false;
  #isOver = false;
  #sessionId: string | undefined;
  #lastText = '';

  constructor(launched: Launched) {
    const { program, setup, session } = launched;
    this.#launched = launched;
    this.#process = new AgentProcess({
      program: program.path,
      args: program.args,
      cwd: setup.cwd,
      env: program.env,
    });
    const { stdout } = this.#process;
    this.#events = new PacedEvents(() => stdout.resume());
    this.#stream = new AgentStream({ from: 'claude', onEvent: (event) => this.#hear(event) });
    this.#clock = new WorkingClock(setup.timeoutMs, () => this.#timeOut());
    stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    stdout.on('end', () => this.#endOfOutput());
    void this.#process.unattended.then(() => this.stop());
    this.ended = this.#process.ended.then((exit) => this.#finish(exit));
    this.#clock.set(true);
    this.#perform(session.begin());
  }

  get events(): AsyncIterable<AgentEvent> {
    return this.#events;
  }

  answer(askId: string, settled: Notification): Promise<boolean> {
    const { session } = this.#launched;
    if (this.#deliveries.has(askId)) return this.#deliveries.of(askId);
    if (this.#isOver || !session.isOpen(askId)) return Promise.resolve(false);
    const delivered = this.#deliveries.of(askId);
    this.#perform(session.answer(askId, settled));
    return delivered;
  }

  async permit(id: string, allowed: boolean, message?: string): Promise<boolean> {
    if (this.#isOver) return false;
    const written = this.#perform(this.#launched.session.permit(id, allowed, message));
    return written.length > 0 && (await Promise.all(written)).every(Boolean);
  }

  async interrupt(): Promise<void> {
    if (!this.#isOver && !this.#isInterrupted) {
      this.#isInterrupted = true;
      const actions = this.#launched.session.interrupt();
      if (actions.length === 0) void this.#process.stop('SIGINT');
      this.#perform(actions);
      this.#after(LAST_STEPS_MS, () => void this.#process.stop());
    }
    await this.ended;
  }

  async stop(): Promise<RunEnd> {
    if (!this.#isOver) this.#end({ reason: 'stopped', message: `${this.#launched.name} was stopped.` });
    return this.ended;
  }

  #read(chunk: Buffer): void {
    this.#stream.push(chunk);
    this.#events.read(chunk.length);
    if (this.#events.isFull && !this.#verdict) this.#process.stdout.pause();
  }

  #hear(event: StreamEvent): void {
    if (event.type === 'session') this.#nameSession(event.sessionId);
    this.#perform(this.#launched.session.hear(event));
    if (event.type !== 'result') return;
    const { usage } = this.#stream.view();
    if (usage.inputTokens + usage.outputTokens > 0) this.#perform([emit({ kind: 'usage', usage })]);
  }

  #nameSession(sessionId: string): void {
    if (this.#sessionId !== undefined) return;
    this.#sessionId = sessionId;
    this.#perform([emit({ kind: 'session', sessionId })]);
  }

  /** Everything in order; the promises are of what was written. */
  #perform(actions: Action[]): Promise<boolean>[] {
    const written = actions.flatMap((action) => this.#do(action) ?? []);
    this.#clock.set(!this.#launched.session.isWaiting);
    return written;
  }

  #do(action: Action): Promise<boolean> | undefined {
    switch (action.do) {
      case 'emit':
        if (action.event.kind === 'text') this.#lastText = action.event.text;
        this.#events.push(action.event);
        return undefined;
      case 'send':
        return this.#verdict ? undefined : this.#process.writeLine(encode(action.message));
      case 'say':
        return this.#process.writeAll(action.text);
      case 'close':
        this.#close();
        return undefined;
      case 'delivered':
        this.#deliveries.settle(action.askId, action.delivered);
        return undefined;
      case 'hold':
        this.#after(this.#launched.setup.parkAfterMs ?? LONGEST_TIMER, () => {
          this.#perform(this.#launched.session.due(action.askId));
        });
        return undefined;
      case 'listen':
        this.#after(action.ms, () => this.#perform(this.#launched.session.quiet()));
        return undefined;
      case 'refuse':
        this.#end({ reason: 'cannot_ask', message: action.message });
        return undefined;
      default:
        return action satisfies never;
    }
  }

  /** Nothing is left to say. Not while we end it: an agent whose input closes on a question carries on alone. */
  #close(): void {
    if (this.#verdict) return;
    this.#process.endInput();
    this.#after(LAST_STEPS_MS, () => void this.#process.stop());
  }

  #timeOut(): void {
    const { name, setup } = this.#launched;
    const message = `${name} was stopped: it had worked for more than ${describeLimit((setup.timeoutMs ?? 0) / 1000)}.`;
    this.#end({ reason: 'timed_out', message });
  }

  /** A polite signal, with its input still open: the session is saved before it goes. */
  #end(verdict: Verdict): void {
    this.#verdict ??= verdict;
    this.#process.stdout.resume();
    void this.#process.stop();
  }

  #endOfOutput(): void {
    this.#stream.end();
    this.#after(LAST_STEPS_MS, () => void this.#process.stop());
  }

  #after(ms: number, then: () => void): void {
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        then();
      },
      Math.min(ms, LONGEST_TIMER),
    );
    this.#timers.add(timer);
  }

  #finish(exit: Exit): RunEnd {
    this.#isOver = true;
    this.#clock.stop();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#deliveries.settleAll(false);
    const { name, session, sessionId: resumed } = this.#launched;
    const end = runEnd({
      name,
      view: this.#stream.view(),
      exit,
      stderrTail: this.#process.stderrTail,
      verdict: this.#verdict,
      isInterrupted: this.#isInterrupted,
      session,
      resumed,
      lastText: this.#lastText,
    });
    this.#events.close();
    return end;
  }
}
