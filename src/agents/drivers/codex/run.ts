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
import { elicitationForm } from '../../form.ts';
import type { AgentProcess, Exit } from '../../process/agent-process.ts';
import { WorkingClock } from '../working-clock.ts';
import { askedQuestions, askHuman, toolAnswer, userInputAnswer } from './ask-human.ts';
import { Connection, Gone } from './connection.ts';
import { shellCommand } from './shell-command.ts';

type Params = Record<string, unknown>;

/** What begins the run: a new thread, or one that goes on. */
export interface Beginning {
  threadId?: string;
  text: string;
}

interface OpenAsk {
  requestId: number | string;
  answer(settled: Notification): unknown;
  /** Called with true when Codex has the answer, with false when it took the question back. */
  received(has: boolean): void;
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
  readonly #asks = new Map<string, OpenAsk>();
  readonly #permissions = new Map<string, { requestId: number | string; elicitation: boolean }>();
  #version = '';
  #threadId: string | undefined;
  #turnId: string | undefined;
  #text = '';
  #usage = noUsage;
  #why: { reason: EndReason; message: string } | undefined;

  constructor(process: AgentProcess, setup: AgentSetup, beginning: Beginning) {
    this.#process = process;
    this.#connection = new Connection(process, {
      request: (id, method, params) => this.#request(id, method, params),
      notification: (method, params) => this.#notification(method, params),
    });
    const seconds = Math.round((setup.timeoutMs ?? 0) / 1000);
    this.#clock = new WorkingClock(setup.timeoutMs, () =>
      this.#end('timed_out', `${this.#name} was stopped: it had worked for more than ${seconds} s.`),
    );
    this.#clock.set(true);
    void process.unattended.then(() => this.stop());
    this.ended = this.#play(setup, beginning);
  }

  async answer(askId: string, settled: Notification): Promise<boolean> {
    const ask = this.#asks.get(askId);
    if (!ask) return false;
    const received = new Promise<boolean>((resolve) => {
      ask.received = resolve;
    });
    if (!(await this.#connection.respond(ask.requestId, ask.answer(settled)))) return false;
    return received;
  }

  async permit(id: string, allowed: boolean): Promise<boolean> {
    const asked = this.#permissions.get(id);
    if (!asked) return false;
    this.#permissions.delete(id);
    this.#keepTime();
    const decision = asked.elicitation
      ? { action: allowed ? 'accept' : 'decline', content: allowed ? {} : null }
      : { decision: allowed ? 'accept' : 'decline' };
    return this.#connection.respond(asked.requestId, decision);
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
    for (const { received } of this.#asks.values()) received(false);
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

  #request(requestId: number | string, method: string, params: Params): void {
    switch (method) {
      case 'item/tool/call': {
        if (params.tool !== askHuman.name) break;
        const asked = { requestId, answer: toolAnswer, received: noOne };
        this.#ask(String(params.callId ?? requestId), askedQuestions(params.arguments), asked);
        return;
      }
      case 'item/tool/requestUserInput': {
        const questions = Array.isArray(params.questions) ? params.questions : [];
        const asked = { requestId, answer: userInputAnswer, received: noOne };
        this.#ask(String(params.itemId ?? requestId), questions, asked);
        return;
      }
      case 'item/commandExecution/requestApproval':
        this.#askPermission(requestId, 'Bash', shellCommand(params), false);
        return;
      case 'item/fileChange/requestApproval':
        this.#askPermission(requestId, 'fileChange', params, false);
        return;
      case 'mcpServer/elicitation/request':
        this.#elicit(requestId, params);
        return;
    }
    this.#connection.refuse(requestId, `Fermata does not serve ${method}.`);
  }

  /** The form of an MCP server that Codex uses, or its own question whether such a server's tool may be used. */
  #elicit(requestId: number | string, params: Params): void {
    const meta = isRecord(params._meta) ? params._meta : {};
    if (meta.codex_approval_kind !== undefined) {
      this.#askPermission(requestId, String(params.serverName ?? 'an MCP tool'), params, true);
      return;
    }
    const form = elicitationForm(params);
    if (typeof form === 'string') {
      void this.#connection.respond(requestId, { action: 'decline', content: null });
      return;
    }
    const answer = (settled: Notification) => {
      const reply = form.reply(settled);
      return 'result' in reply ? reply.result : { action: 'cancel' };
    };
    this.#ask(`elicitation:${requestId}`, form.questions, { requestId, answer, received: noOne });
  }

  #askPermission(requestId: number | string, tool: string, input: Params, elicitation: boolean): void {
    const id = String(requestId);
    this.#permissions.set(id, { requestId, elicitation });
    this.#keepTime();
    this.events.push({ kind: 'permission', id, tool, input });
  }

  #ask(id: string, questions: unknown[], ask: OpenAsk): void {
    if (questions.length === 0) {
      void this.#connection.respond(ask.requestId, {
        contentItems: [
          {
            type: 'inputText',
            text: 'There was no question in this call. Give "questions" with a text each.',
          },
        ],
        success: false,
      });
      return;
    }
    this.#asks.set(id, ask);
    this.#keepTime();
    this.events.push({ kind: 'question', ask: { id, questions } });
  }

  #notification(method: string, params: Params): void {
    switch (method) {
      case 'item/started':
      case 'item/completed':
        if (isRecord(params.item)) this.#item(params.item, method === 'item/completed');
        return;
      case 'serverRequest/resolved':
        this.#resolved(params.requestId);
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
      this.#received(item.id, this.#asks.get(item.id)?.received !== noOne);
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

  /** The server needs no answer any more: because it has ours, or because the turn was broken off. */
  #resolved(requestId: unknown): void {
    if (this.#permissions.delete(String(requestId))) {
      this.#keepTime();
      this.events.push({ kind: 'cancelled', askId: String(requestId) });
    }
    for (const [id, ask] of this.#asks)
      if (ask.requestId === requestId) this.#received(id, ask.received !== noOne);
  }

  #received(id: string, has: boolean): void {
    const ask = this.#asks.get(id);
    if (!ask) return;
    this.#asks.delete(id);
    this.#keepTime();
    ask.received(has);
    if (!has) this.events.push({ kind: 'cancelled', askId: id });
  }

  /** A person may take as long as they like. */
  #keepTime(): void {
    this.#clock.set(this.#asks.size === 0 && this.#permissions.size === 0);
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

function noOne(): undefined {
  return undefined;
}

const lastLine = (text: string) => text.trim().split('\n').at(-1)?.slice(0, 300) ?? '';
