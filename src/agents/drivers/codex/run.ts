import { describeLimit } from '../../../config/duration.ts';
import { isRecord } from '../../../ledger/forms/record.ts';
import type { Notification } from '../../../schema/notification.ts';
import {
  type AgentEvent,
  type AgentRun,
  type AgentSetup,
  addUsage,
  type EndReason,
  noUsage,
  type RunEnd,
} from '../../driver.ts';
import { EventQueue } from '../../event-queue.ts';
import type { AgentProcess, Exit } from '../../process/agent-process.ts';
import { WorkingClock } from '../working-clock.ts';
import { askHuman } from './ask-human.ts';
import { Connection, Gone } from './connection.ts';
import { OpenRequests } from './open-requests.ts';
import { shellCommand } from './shell-command.ts';

type Params = Record<string, unknown>;

/** What begins the run: a new thread, or one that goes on. */
export interface Beginning {
  threadId?: string;
  text: string;
}

/** Codex ends slowly on its own; after the last turn there is nothing left for it to save. */
const END_GRACE_MS = 1500;

/** One process of `codex app-server` with one turn. */
export class CodexRun implements AgentRun {
  readonly events = new EventQueue<AgentEvent>();
  readonly ended: Promise<RunEnd>;
  readonly #process: AgentProcess;
  readonly #connection: Connection;
  readonly #clock: WorkingClock;
  readonly #requests: OpenRequests;
  #version = '';
  #threadId: string | undefined;
  #turnId: string | undefined;
  #text = '';
  #usage = noUsage;
  #why: { reason: EndReason; message: string } | undefined;

  constructor(process: AgentProcess, setup: AgentSetup, beginning: Beginning) {
    this.#process = process;
    this.#connection = new Connection(process, {
      request: (id, method, params) => this.#requests.take(id, method, params),
      notification: (method, params) => this.#notification(method, params),
    });
    const limit = describeLimit((setup.timeoutMs ?? 0) / 1000);
    this.#clock = new WorkingClock(setup.timeoutMs, () =>
      this.#end('timed_out', `${this.#name} was stopped: it had worked for more than ${limit}.`),
    );
    this.#requests = new OpenRequests(this.#connection, this.#clock, (event) => this.events.push(event));
    this.#clock.set(true);
    void process.unattended.then(() => this.stop());
    this.ended = this.#play(setup, beginning);
  }

  answer(askId: string, settled: Notification): Promise<boolean> {
    return this.#requests.answer(askId, settled);
  }

  permit(id: string, allowed: boolean): Promise<boolean> {
    return this.#requests.permit(id, allowed);
  }

  async interrupt(): Promise<void> {
    if (this.#threadId === undefined || this.#turnId === undefined) return;
    const turn = { threadId: this.#threadId, turnId: this.#turnId };
    await this.#connection.call('turn/interrupt', turn).catch((error: Error) => {
      if (!(error instanceof Gone)) throw error; // there is nothing left to interrupt
    });
  }

  stop(): Promise<RunEnd> {
    this.#end('stopped', `${this.#name} was stopped.`);
    return this.ended;
  }

  get #name(): string {
    return this.#version ? `codex ${this.#version}` : 'codex';
  }

  async #play(setup: AgentSetup, beginning: Beginning): Promise<RunEnd> {
    const reading = this.#connection.read();
    this.#converse(setup, beginning).catch((error: Error) => {
      // Where the program is gone, its exit says more.
      if (!(error instanceof Gone)) this.#end('failed', `${this.#name} refused to begin: ${error.message}`);
    });
    const exit = await this.#process.ended;
    await reading;
    this.#clock.stop();
    this.#requests.close();
    this.events.close();
    return this.#told(exit);
  }

  async #converse(setup: AgentSetup, { threadId, text }: Beginning): Promise<void> {
    const clientInfo = { name: 'fermata', title: 'Fermata', version: '1' };
    const hello = await this.#connection.call('initialize', {
      clientInfo,
      capabilities: { experimentalApi: true, requestAttestation: false },
    });
    this.#version = /\/(\d[\w.-]*)/.exec(String(hello.userAgent ?? ''))?.[1] ?? '';
    this.#connection.notify('initialized');
    const common = {
      cwd: setup.cwd,
      ...(setup.model ? { model: setup.model } : {}),
      dynamicTools: [askHuman],
    };
    const opened = threadId
      ? await this.#connection.call('thread/resume', { threadId, ...common, excludeTurns: true })
      : await this.#connection.call('thread/start', {
          ...common,
          approvalPolicy: 'on-request',
          sandbox: 'workspace-write',
        });
    const thread = isRecord(opened.thread) ? opened.thread : {};
    this.#threadId = typeof thread.id === 'string' ? thread.id : threadId;
    if (this.#threadId === undefined) throw new Error('it opened no thread');
    this.events.push({ kind: 'session', sessionId: this.#threadId });
    const whole = setup.instructions ? `${setup.instructions}\n\n${text}` : text;
    const begun = await this.#connection.call('turn/start', {
      threadId: this.#threadId,
      input: [{ type: 'text', text: whole }],
    });
    const turn = isRecord(begun.turn) ? begun.turn : {};
    if (typeof turn.id === 'string') this.#turnId = turn.id;
  }

  #notification(method: string, params: Params): void {
    switch (method) {
      case 'item/started':
      case 'item/completed':
        if (isRecord(params.item)) this.#item(params.item, method === 'item/completed');
        return;
      case 'serverRequest/resolved':
        this.#requests.resolved(params.requestId);
        return;
      case 'thread/tokenUsage/updated':
        if (params.turnId === this.#turnId || this.#turnId === undefined) this.#count(params.tokenUsage);
        return;
      case 'turn/completed':
        if (isRecord(params.turn)) this.#turnEnded(params.turn);
        return;
    }
  }

  #item(item: Params, completed: boolean): void {
    const { type } = item;
    if (type === 'agentMessage' && completed && typeof item.text === 'string') {
      this.#text = item.text;
      this.events.push({ kind: 'text', text: item.text });
    }
    if (type === 'dynamicToolCall' && completed && typeof item.id === 'string')
      this.#requests.callEnded(item.id);
    if (completed || typeof item.id !== 'string') return;
    if (type === 'commandExecution')
      this.events.push({ kind: 'tool', id: item.id, name: 'Bash', input: shellCommand(item) });
    if (type === 'fileChange' || type === 'mcpToolCall')
      this.events.push({
        kind: 'tool',
        id: item.id,
        name: type,
        input: item.changes ?? item.arguments ?? null,
      });
  }

  #count(tokenUsage: unknown): void {
    const last = isRecord(tokenUsage) && isRecord(tokenUsage.last) ? tokenUsage.last : undefined;
    if (!last) return;
    const number = (value: unknown) => (typeof value === 'number' ? value : 0);
    const usage = {
      inputTokens: number(last.inputTokens),
      outputTokens: number(last.outputTokens),
      cacheReadTokens: number(last.cachedInputTokens),
      cacheCreationTokens: number(last.cacheWriteInputTokens),
    };
    this.#usage = addUsage(this.#usage, usage);
    this.events.push({ kind: 'usage', usage });
  }

  #turnEnded(turn: Params): void {
    const error = isRecord(turn.error) ? String(turn.error.message ?? '') : '';
    if (turn.status === 'completed') this.#end('ok', '');
    else if (turn.status === 'interrupted') this.#end('interrupted', `${this.#name} was interrupted.`);
    else this.#end('failed', `${this.#name} failed: ${error || String(turn.status)}`);
  }

  #end(reason: EndReason, message: string): void {
    if (this.#why) return;
    this.#why = { reason, message };
    // A polite signal: Codex ends the commands that it has started in groups of their own.
    void this.#process.stop('SIGTERM', END_GRACE_MS);
  }

  #told({ code, signal }: Exit): RunEnd {
    const tail = this.#process.stderrTail;
    const how = signal ? `was killed by ${signal}` : `ended with exit code ${code}`;
    const crashed = {
      reason: 'crashed' as const,
      message: `${this.#name} ${how} before it finished. ${lastLine(tail)}`.trim(),
    };
    return {
      ...(this.#why ?? crashed),
      text: this.#text,
      ...(this.#threadId ? { sessionId: this.#threadId } : {}),
      usage: this.#usage,
      exitCode: code,
      signal,
      stderrTail: tail,
      skippedLines: this.#connection.skippedLines,
    };
  }
}

const lastLine = (text: string) => text.trim().split('\n').at(-1)?.slice(0, 300) ?? '';
