import type { Notification } from '../../schema/notification.ts';
import type { AgentEvent, AgentRun, AgentSetup, Remark, RunEnd } from '../driver.ts';
import type { AgentProcess, Exit } from '../process/agent-process.ts';
import { restated } from '../questions/answer-text.ts';
import { askHuman, HUMAN_SERVER } from '../questions/ask-human.ts';
import { backgroundWait, crashed, interrupted, runEnd, waitedLongEnough } from '../run/end.ts';
import { RunShell } from '../run/run-shell.ts';
import { AgentStream } from '../stream/agent-stream.ts';
import type {
  ResultEvent,
  StateEvent,
  StreamEvent,
  TaskEvent,
  TextEvent,
  ToolEvent,
} from '../stream/events.ts';
import { type Beginning, Connection, Gone, openThread } from './connection.ts';
import { refused, turnFailed } from './end.ts';
import { InWords, OpenRequests } from './open-requests.ts';
import { Threads } from './threads.ts';
import { isBlank, Records, rolloutFile } from './transcript.ts';

/** Codex exits slowly by itself; after the last turn it has nothing left to save. */
const END_GRACE_MS = 1500;
/** How long a finished sub-agent may take to wake the agent or to get more work. */
const WAKING_MS = 500;

/** Calls of our own tool are questions. */
const OWN_TOOLS = new Set<string>([askHuman.name, `${HUMAN_SERVER}.${askHuman.name}`]);

/** One process of `codex app-server`: the agent's thread and those of its sub-agents, until all are idle. */
export class CodexRun implements AgentRun {
  readonly ended: Promise<RunEnd>;
  readonly #setup: AgentSetup;
  readonly #shell: RunShell;
  readonly #stream = new AgentStream({ from: 'codex', onEvent: (event) => this.#hear(event) });
  readonly #connection: Connection;
  readonly #threads = new Threads();
  readonly #records: Records;
  readonly #requests: OpenRequests;
  readonly #words = new InWords();
  #version = '';
  #said: Promise<unknown> = Promise.resolve();
  /** The last message of the agent itself. */
  #text = '';
  /** Ends the run after a period without events. */
  #timer: NodeJS.Timeout | undefined;

  constructor(process: AgentProcess, setup: AgentSetup, beginning: Beginning) {
    this.#setup = setup;
    this.#shell = new RunShell(process, {
      setup,
      name: () => this.#name,
      read: (chunk) => this.#read(chunk),
      graceMs: END_GRACE_MS,
    });
    this.#connection = new Connection(process);
    this.#records = new Records((threadId) => rolloutFile(setup, threadId));
    this.#requests = new OpenRequests({
      connection: this.#connection,
      threads: this.#threads,
      records: this.#records,
      tell: (event) => this.#shell.events.push(event),
      changed: () => this.#keepTime(),
      tellLater: (words) => this.#keepsOnceSent(words, this.#words.note(words)),
    });
    this.#begin(beginning).catch((error: Error) => this.#refused(error, beginning.threadId));
    this.ended = process.ended.then((exit) => this.#finish(exit));
  }

  get events(): AsyncIterable<AgentEvent> {
    return this.#shell.events;
  }

  async answer(askId: string, settled: Notification): Promise<boolean> {
    if (!this.#words.has(askId)) return this.#requests.answer(askId, settled);
    const sent = this.#words.answer(askId, settled);
    this.#keepTime();
    return this.#keepsOnceSent(restated([settled]), sent);
  }

  permit(id: string, allowed: boolean, remark: Remark = {}): Promise<boolean> {
    return this.#requests.permit(id, allowed, remark);
  }

  /** In order: a message is sent only after the one before it. */
  say(words: string): Promise<boolean> {
    const sent = this.#said.then(() => this.#requests.steer(this.#threads.main ?? '', words));
    this.#said = sent.catch(() => undefined);
    return sent.then((isSteered) =>
      this.#keepsOnceSent(words, isSteered ? Promise.resolve(true) : this.#words.note(words)),
    );
  }

  async interrupt(): Promise<void> {
    const { main: threadId } = this.#threads;
    const turnId = this.#threads.turnOf(threadId);
    if (!turnId) {
      this.#shell.end(interrupted(this.#name));
      return;
    }
    await this.#connection.call('turn/interrupt', { threadId, turnId }).catch((error: Error) => {
      if (!(error instanceof Gone)) throw error; // nothing left to interrupt
    });
  }

  stop(): Promise<RunEnd> {
    this.#shell.stop();
    return this.ended;
  }

  /** Sends the words once the agent has no current turn; resolves to whether its thread can no longer lose them. */
  async #keepsOnceSent(words: string, sent: Promise<boolean>): Promise<boolean> {
    this.#continueOrComplete();
    return (await sent) && this.#records.keeps(this.#threads.main ?? '', (record) => record.wasTold(words));
  }

  get #name(): string {
    return this.#version ? `codex ${this.#version}` : 'codex';
  }

  #finish(exit: Exit): RunEnd {
    this.#stream.end();
    this.#connection.close();
    clearTimeout(this.#timer);
    this.#records.close();
    this.#requests.close();
    this.#words.close();
    this.#shell.events.close();
    const { stderrTail } = this.#shell.process;
    const { usage, skippedLines } = this.#stream.view();
    const cause = this.#shell.cause ?? crashed(this.#name, exit, stderrTail);
    const sessionId = this.#threads.main;
    return runEnd(cause, exit, { sessionId, text: this.#text, usage, stderrTail, skippedLines });
  }

  async #begin(beginning: Beginning): Promise<void> {
    const { version, threadId } = await openThread(this.#connection, this.#setup, beginning);
    this.#version = version;
    this.#threads.main = threadId;
    this.#shell.events.push({ kind: 'session', sessionId: threadId });
    const { instructions } = this.#setup;
    await this.#say(instructions ? `${instructions}\n\n${beginning.text}` : beginning.text);
  }

  async #say(text: string): Promise<void> {
    const { main: threadId = '' } = this.#threads;
    this.#threads.begin();
    await this.#connection.call('turn/start', { threadId, input: [{ type: 'text', text }] });
  }

  #read(chunk: Buffer): void {
    this.#stream.push(chunk);
    this.#continueOrComplete();
  }

  #hear(event: StreamEvent): void {
    switch (event.type) {
      case 'turn':
        this.#threads.hear(event);
        if (event.parent === undefined) this.#words.turnStarted();
        break;
      case 'text':
        if (event.parent === undefined) this.#spoke(event);
        break;
      case 'tool':
        if (!OWN_TOOLS.has(event.name)) this.#shell.events.push(toolEvent(event));
        break;
      case 'message':
        if (event.usage) this.#shell.events.push({ kind: 'usage', usage: this.#stream.usage });
        break;
      case 'question':
      case 'permission':
        this.#requests.take(event);
        break;
      case 'request':
        this.#connection.refuse(event.requestId, event.kind);
        break;
      case 'request-closed':
        this.#requests.resolved(event.requestId);
        break;
      case 'tool-result':
        this.#requests.callEnded(this.#threads.idOf(event.parent), event.toolUseId);
        break;
      case 'response':
        this.#connection.answered(event);
        break;
      case 'task':
      case 'state':
        this.#changed(event);
        break;
      case 'result':
        this.#turnEnded(event);
        break;
      case 'session':
      case 'tasks':
      case 'wake-up':
      case 'notice':
      case 'malformed':
        break;
      default:
        event satisfies never;
    }
  }

  #spoke({ messageId, text }: TextEvent): void {
    this.#text = text;
    this.#words.message(String(messageId), text);
    this.#shell.events.push({ kind: 'text', text });
  }

  /** Nobody needs to answer what a finished thread has asked. */
  #changed(event: TaskEvent | StateEvent): void {
    this.#threads.hear(event);
    const isOver = event.type === 'task' ? !event.isAlive : event.isIdle;
    if (isOver)
      this.#requests.turnEnded(event.type === 'task' ? event.task.id : this.#threads.idOf(undefined));
  }

  /** The end of a sub-agent's turn concerns only the sub-agent, however it ended. */
  #turnEnded(result: ResultEvent): void {
    const threadId = this.#threads.idOf(result.parent);
    this.#threads.hear(result);
    if (result.ok) this.#records.turnDone(threadId);
    this.#requests.turnEnded(threadId);
    if (result.parent !== undefined) return;
    if (result.ok) this.#askedInWords();
    else this.#shell.end(turnFailed(this.#name, result));
  }

  #askedInWords(): void {
    const ask = this.#setup.mustAsk ? this.#words.lastAsked() : undefined;
    if (!ask) return;
    this.#keepTime();
    this.#shell.events.push({ kind: 'question', ask });
  }

  /** Between two turns: sends what was answered. The run is over when nothing is left to send, to wait for or to finish. */
  #continueOrComplete(): void {
    clearTimeout(this.#timer);
    if (this.#shell.cause || this.#threads.isBusy || this.#words.isWaiting) return;
    const text = this.#words.say();
    if (text !== undefined) {
      void this.#say(text).catch((error: Error) => this.#refused(error));
      return;
    }
    const { background, hadSubAgents } = this.#threads;
    if (background.length === 0 && !hadSubAgents) this.#complete(background);
    if (background.length > 0 && this.#requests.isWaiting) return;
    // Every event from Codex restarts the timer.
    const ms = background.length > 0 ? backgroundWait(this.#setup) : WAKING_MS;
    this.#timer = setTimeout(() => this.#complete(background), ms);
  }

  #complete(background: string[]): void {
    const isCut = background.length > 0;
    const message = isCut ? waitedLongEnough(this.#name, this.#setup, background.join(', ')) : '';
    if (isCut) this.#shell.events.push({ kind: 'notice', text: message });
    this.#shell.end({ reason: 'ok', message });
  }

  /** Ignores the error if the program is gone, because its exit says more. */
  async #refused(error: Error, threadId?: string): Promise<void> {
    if (error instanceof Gone) return;
    const isLost = threadId !== undefined && (await isBlank(this.#setup, threadId));
    this.#shell.end(refused(this.#name, error.message, threadId, isLost));
  }

  #keepTime(): void {
    this.#shell.keepTime(!this.#requests.isWaiting && !this.#words.isWaiting);
  }
}

function toolEvent({ toolUseId: id = '', name, input, parent }: ToolEvent): AgentEvent {
  return { kind: 'tool', id, name, input, ...(parent === undefined ? {} : { parent }) };
}
