import { MAX_TIMER } from '../../config/duration.ts';
import type { Notification } from '../../schema/notification.ts';
import type { AgentEvent, AgentRun, AgentSetup, Remark, RunEnd } from '../driver.ts';
import { AgentProcess, type Exit } from '../process/agent-process.ts';
import { backgroundWait, crashed, type EndCause, failed, interrupted, noResult, runEnd } from '../run/end.ts';
import { RunShell } from '../run/run-shell.ts';
import { hasAnswer, type Transcript } from '../run/transcript.ts';
import { AgentStream } from '../stream/agent-stream.ts';
import type { StreamEvent } from '../stream/events.ts';
import type { RunView, StreamEnd } from '../stream/view.ts';
import { Deliveries, TranscriptFile } from './deliveries.ts';
import { type Action, BEGINNING, type Dialogue, emit } from './dialogue.ts';
import type { Program } from './launch.ts';
import { SYNTHETIC } from './wire.ts';

export interface Launched {
  name: string;
  setup: AgentSetup;
  program: Program;
  dialogue: Dialogue;
  /** The session to resume. */
  sessionId?: string;
  /** Whether the program saves its sessions where Claude Code does. */
  savesTranscripts: boolean;
  /** Whether a transcript contains what the program was started with. */
  hasBegun(transcript: Transcript): boolean;
}

/** How long the program may take to exit once it has nothing left to do. */
const LAST_STEPS_MS = 10_000;

/** A dialogue and its process: carries out what the dialogue decides, and emits events. */
export class ClaudeRun implements AgentRun {
  readonly ended: Promise<RunEnd>;
  readonly received: Promise<boolean>;
  readonly #launched: Launched;
  readonly #shell: RunShell;
  readonly #stream: AgentStream;
  readonly #deliveries: Deliveries;
  readonly #timers = new Set<NodeJS.Timeout>();
  /** Ends the run after a period in which its background work is silent. */
  #silence: NodeJS.Timeout | undefined;
  #isInterrupted = false;
  #isOver = false;
  #sessionId: string | undefined;
  #transcript: TranscriptFile | undefined;
  #lastText = '';
  /** How often a person said something. */
  #said = 0;

  constructor(launched: Launched) {
    const { program, setup, dialogue } = launched;
    this.#launched = launched;
    this.#deliveries = new Deliveries(async () => this.#transcript?.look(), launched.savesTranscripts);
    const process = new AgentProcess({
      program: program.path,
      args: program.args,
      cwd: setup.cwd,
      env: program.env,
      sandbox: setup.sandbox,
    });
    this.#stream = new AgentStream({ from: 'claude', onEvent: (event) => this.#hear(event) });
    this.#shell = new RunShell(process, {
      setup,
      name: () => launched.name,
      read: (chunk) => this.#stream.push(chunk),
      endOfOutput: () => this.#endOfOutput(),
    });
    this.ended = process.ended.then((exit) => this.#finish(exit));
    this.#deliveries.expect(BEGINNING, launched.hasBegun);
    this.received = this.#deliveries.of(BEGINNING);
    this.#perform(dialogue.begin());
  }

  get events(): AsyncIterable<AgentEvent> {
    return this.#shell.events;
  }

  answer(askId: string, settled: Notification): Promise<boolean> {
    const { dialogue } = this.#launched;
    if (this.#deliveries.has(askId)) return this.#deliveries.of(askId);
    if (this.#isOver || !dialogue.isOpen(askId)) return Promise.resolve(false);
    const delivered = this.#deliveries.of(askId);
    this.#deliveries.expect(askId, (transcript) => hasAnswer(transcript, settled, askId));
    this.#perform(dialogue.answer(askId, settled));
    return delivered;
  }

  async permit(id: string, allowed: boolean, remark: Remark = {}): Promise<boolean> {
    if (this.#isOver) return false;
    const written = this.#perform(this.#launched.dialogue.permit(id, allowed, remark));
    if (written.length === 0) return false;
    const { note } = remark;
    const noted = note === undefined || this.#deliveries.note(id, note, written.length > 1);
    return (await Promise.all(written)).every(Boolean) && noted;
  }

  say(words: string): Promise<boolean> {
    if (this.#isOver) return Promise.resolve(false);
    this.#said += 1;
    const id = `said:${this.#said}`;
    const taken = this.#deliveries.words(id, words);
    this.#perform(this.#launched.dialogue.say(id, words));
    return taken.then((isTaken) => {
      if (!this.#isOver && isTaken) this.#perform(this.#launched.dialogue.taken(id));
      return isTaken;
    });
  }

  async interrupt(): Promise<void> {
    if (!this.#isOver && !this.#isInterrupted) {
      this.#isInterrupted = true;
      const actions = this.#launched.dialogue.interrupt();
      if (actions.length === 0) void this.#shell.process.stop('SIGINT');
      this.#perform(actions);
      this.#after(LAST_STEPS_MS, () => void this.#shell.process.stop());
    }
    await this.ended;
  }

  async stop(): Promise<RunEnd> {
    if (!this.#isOver) this.#shell.stop();
    return this.ended;
  }

  #hear(event: StreamEvent): void {
    if (event.type === 'session') this.#nameSession(event.sessionId);
    if (event.type === 'message' && event.model !== SYNTHETIC) this.#deliveries.shown(BEGINNING);
    if (event.type === 'turn' || event.type === 'message') this.#deliveries.tookMessages();
    this.#perform(this.#launched.dialogue.hear(event));
    if (event.type !== 'result') return;
    const { usage } = this.#stream.view();
    if (usage.inputTokens + usage.outputTokens > 0) this.#perform([emit({ kind: 'usage', usage })]);
  }

  #nameSession(sessionId: string): void {
    if (this.#sessionId !== undefined) return;
    this.#sessionId = sessionId;
    const { program, setup, savesTranscripts } = this.#launched;
    if (savesTranscripts) this.#transcript = new TranscriptFile(program.env, sessionId, setup.sandbox);
    this.#perform([emit({ kind: 'session', sessionId })]);
  }

  /** Performs all actions in order; each promise settles when its message is written. */
  #perform(actions: Action[]): Promise<boolean>[] {
    const written = actions.flatMap((action) => this.#do(action) ?? []);
    this.#shell.keepTime(!this.#launched.dialogue.isWaiting);
    this.#limitSilence();
    return written;
  }

  #limitSilence(): void {
    clearTimeout(this.#silence);
    const { dialogue, setup } = this.#launched;
    if (this.#isOver || !dialogue.isLingering) return;
    this.#silence = setTimeout(() => this.#perform(dialogue.giveUp()), backgroundWait(setup));
  }

  #do(action: Action): Promise<boolean> | undefined {
    switch (action.do) {
      case 'emit':
        if (action.event.kind === 'text') this.#lastText = action.event.text;
        this.#shell.events.push(action.event);
        return undefined;
      case 'send':
        return this.#shell.cause ? undefined : this.#shell.process.writeLine(JSON.stringify(action.message));
      case 'say':
        return this.#shell.process.writeAll(action.text);
      case 'close':
        this.#close();
        return undefined;
      case 'delivered':
        if (action.delivered) this.#deliveries.shown(action.askId);
        else this.#deliveries.refused(action.askId);
        return undefined;
      case 'after':
        this.#after(action.ms, () => this.#perform(action.run()));
        return undefined;
      case 'end':
        this.#shell.end(action.cause);
        return undefined;
      default:
        return action satisfies never;
    }
  }

  /**
   * Closes the input when nothing is left to send, but not while we are ending the process, because an agent whose
   * input closes during a question continues without the answer.
   */
  #close(): void {
    if (this.#shell.cause) return;
    this.#shell.process.endInput();
    this.#after(LAST_STEPS_MS, () => void this.#shell.process.stop());
  }

  #endOfOutput(): void {
    this.#stream.end();
    this.#after(LAST_STEPS_MS, () => void this.#shell.process.stop());
  }

  #after(ms: number, then: () => void): void {
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        then();
      },
      Math.min(ms, MAX_TIMER),
    );
    this.#timers.add(timer);
  }

  async #finish(exit: Exit): Promise<RunEnd> {
    if (exit.code === 0 && !this.#shell.cause) this.#perform(this.#launched.dialogue.exited());
    this.#isOver = true;
    clearTimeout(this.#silence);
    for (const timer of this.#timers) clearTimeout(timer);
    const { name, dialogue, sessionId: resumed } = this.#launched;
    const end = claudeEnd({
      name,
      view: this.#stream.view(),
      exit,
      stderrTail: this.#shell.process.stderrTail,
      cause: this.#shell.cause,
      isInterrupted: this.#isInterrupted,
      dialogue,
      resumed,
      lastText: this.#lastText,
    });
    await this.#deliveries.close(end.reason === 'ok');
    this.#shell.events.close();
    return end;
  }
}

interface EndFacts {
  name: string;
  view: RunView;
  exit: Exit;
  stderrTail: string;
  /** Why Fermata ended the run. */
  cause: EndCause | undefined;
  isInterrupted: boolean;
  dialogue: Pick<Dialogue, 'isParked' | 'isBusy' | 'isWaiting'>;
  /** The session to resume. */
  resumed: string | undefined;
  lastText: string;
}

/** Determines how a run ended from everything known about it. */
function claudeEnd(facts: EndFacts): RunEnd {
  const { view, exit, stderrTail, lastText, resumed } = facts;
  const { end, skippedLines } = view;
  const { costUsd, ...tokens } = view.usage;
  return runEnd(verdictOf(facts), exit, {
    sessionId: view.sessionId ?? resumed,
    text: end.kind === 'ok' && end.text !== '' ? end.text : lastText,
    // A resumed session reports its total cost, including what we have already counted.
    usage: resumed === undefined && costUsd !== undefined ? { ...tokens, costUsd } : tokens,
    stderrTail,
    skippedLines,
  });
}

function verdictOf({
  name,
  view,
  exit,
  stderrTail,
  cause,
  isInterrupted,
  dialogue,
  resumed,
}: EndFacts): EndCause {
  const agent = `${name}${view.version ? ` ${view.version}` : ''}`;
  const { end } = view;
  if (cause) return cause;
  if (isInterrupted && (end.kind !== 'ok' || dialogue.isWaiting)) {
    return interrupted(agent);
  }
  if (
    end.kind === 'deferred' ||
    (dialogue.isParked && exit.code === 0) ||
    (end.kind === 'ok' && dialogue.isWaiting)
  ) {
    const message = `${agent} is parked: its process has ended, and its session can be resumed with the answer.`;
    return { reason: 'parked', message };
  }
  if (end.kind === 'error') return failure(agent, end, resumed);
  // Some programs print no result after their last message.
  const hasEnded = end.kind === 'ok' ? !dialogue.isBusy : exit.code === 0 && view.stopReason === 'end_turn';
  if (hasEnded) return { reason: 'ok', message: `${agent} has finished.` };
  // If there is a session, somebody else interrupted it, because Claude Code exits with 0 after SIGINT during a turn.
  if (exit.code === 0 && view.sessionId === null) return noResult(agent, stderrTail);
  return crashed(agent, exit, stderrTail);
}

/** Claude Code's messages for a session that does not exist, or an id that is not valid. */
const NO_SESSION = /^(?:No conversation found with session ID|Error: --resume requires a valid session ID)/;

function failure(
  agent: string,
  { message, apiStatus }: Extract<StreamEnd, { kind: 'error' }>,
  resumed: string | undefined,
): EndCause {
  if (resumed !== undefined && NO_SESSION.test(message)) {
    const lost = `${agent} no longer has the session ${resumed}, so it has to start over.`;
    return { reason: 'session_lost', message: lost };
  }
  return failed(agent, message, apiStatus);
}
