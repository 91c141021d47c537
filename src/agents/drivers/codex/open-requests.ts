import { isRecord } from '../../../ledger/forms/record.ts';
import type { Notification } from '../../../schema/notification.ts';
import type { AgentEvent } from '../../driver.ts';
import { elicitationForm } from '../../form.ts';
import type { WorkingClock } from '../working-clock.ts';
import { askedQuestions, askHuman, toolAnswer, userInputAnswer } from './ask-human.ts';
import type { Connection } from './connection.ts';
import { shellCommand } from './shell-command.ts';

type Params = Record<string, unknown>;
type RequestId = number | string;

interface OpenAsk {
  requestId: RequestId;
  answer(settled: Notification): unknown;
  /** Called with true when Codex has the answer, with false when it took the question back. */
  received(has: boolean): void;
}

/** What Codex waits for: questions to a person, and whether it may do something. While it does, its clock stands still. */
export class OpenRequests {
  readonly #connection: Connection;
  readonly #clock: WorkingClock;
  readonly #tell: (event: AgentEvent) => void;
  readonly #asks = new Map<string, OpenAsk>();
  readonly #permissions = new Map<string, { requestId: RequestId; elicitation: boolean }>();

  constructor(connection: Connection, clock: WorkingClock, tell: (event: AgentEvent) => void) {
    this.#connection = connection;
    this.#clock = clock;
    this.#tell = tell;
  }

  /** Takes a request of Codex; one that is nothing of this is refused. */
  take(requestId: RequestId, method: string, params: Params): void {
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

  /** Resolves to whether Codex has the answer. */
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

  /** Codex needs no answer any more: because it has ours, or because the turn was broken off. */
  resolved(requestId: unknown): void {
    if (this.#permissions.delete(String(requestId))) {
      this.#keepTime();
      this.#tell({ kind: 'cancelled', askId: String(requestId) });
    }
    for (const [id, ask] of this.#asks) if (ask.requestId === requestId) this.callEnded(id);
  }

  /** The call of the tool that asked is over: with our answer, where we have sent one. */
  callEnded(id: string): void {
    const ask = this.#asks.get(id);
    if (!ask) return;
    this.#asks.delete(id);
    this.#keepTime();
    const has = ask.received !== noOne;
    ask.received(has);
    if (!has) this.#tell({ kind: 'cancelled', askId: id });
  }

  /** Codex is gone: nobody gets an answer any more. */
  close(): void {
    for (const { received } of this.#asks.values()) received(false);
  }

  /** The form of an MCP server that Codex uses, or its own question whether such a server's tool may be used. */
  #elicit(requestId: RequestId, params: Params): void {
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

  #askPermission(requestId: RequestId, tool: string, input: Params, elicitation: boolean): void {
    const id = String(requestId);
    this.#permissions.set(id, { requestId, elicitation });
    this.#keepTime();
    this.#tell({ kind: 'permission', id, tool, input });
  }

  #ask(id: string, questions: unknown[], ask: OpenAsk): void {
    if (questions.length === 0) {
      const text = 'There was no question in this call. Give "questions" with a text each.';
      const contentItems = [{ type: 'inputText', text }];
      void this.#connection.respond(ask.requestId, { contentItems, success: false });
      return;
    }
    this.#asks.set(id, ask);
    this.#keepTime();
    this.#tell({ kind: 'question', ask: { id, questions } });
  }

  /** A person may take as long as they like. */
  #keepTime(): void {
    this.#clock.set(this.#asks.size === 0 && this.#permissions.size === 0);
  }
}

function noOne(): undefined {
  return undefined;
}
