import { askedQuestions, elicitedQuestions } from './asked-questions.ts';
import type { Emit } from './dialect.ts';
import type { QuestionEvent, RequestId } from './events.ts';
import {
  isRecord,
  type JsonRecord,
  list,
  record,
  requestIdOf,
  text,
  type UsageNames,
  usageOf,
} from './fields.ts';

const names: UsageNames = {
  input: 'inputTokens',
  output: 'outputTokens',
  cacheRead: 'cachedInputTokens',
  cacheCreation: 'cacheWriteInputTokens',
};

/** The tool that we offer to Codex for questions, where its own is not to be had. */
const ASK_HUMAN = 'ask_human';
const ELICITATION = 'mcpServer/elicitation/request';
/** Items that are no use of a tool. */
const SPEECH = new Set([
  'agentMessage',
  'userMessage',
  'reasoning',
  'plan',
  'hookPrompt',
  'contextCompaction',
]);

/** The JSON-RPC messages of `codex app-server`. */
export class CodexAppServer {
  readonly #emit: Emit;
  #thread: string | undefined;
  #turn: string | undefined;
  #lastText: string | undefined;

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  read(object: JsonRecord): void {
    const method = text(object.method);
    const requestId = requestIdOf(object.id);
    if (method === undefined) {
      if (requestId !== undefined) this.#response(requestId, object);
      return;
    }
    const params = record(object.params);
    const threadId = text(params.threadId);
    if (threadId !== undefined) this.#session(threadId, false);
    const parent = threadId !== undefined && threadId !== this.#thread ? threadId : undefined;
    if (requestId === undefined) this.#notification(method, params, parent);
    else this.#request(requestId, method, params, parent);
  }

  #session(sessionId: string, init: boolean): void {
    if (this.#thread !== undefined) return;
    this.#thread = sessionId;
    this.#emit({ type: 'session', sessionId, init });
  }

  #response(requestId: RequestId, object: JsonRecord): void {
    const failure = isRecord(object.error)
      ? (text(object.error.message) ?? 'The request failed.')
      : undefined;
    this.#threadSeen(record(record(object.result).thread));
    const ok = failure === undefined;
    this.#emit({ type: 'response', requestId, ok, response: object.result, error: failure });
  }

  /** A thread with a parent is a sub-agent's. */
  #threadSeen(thread: JsonRecord): void {
    const id = text(thread.id);
    if (id !== undefined && text(thread.parentThreadId) === undefined) this.#session(id, true);
  }

  #notification(method: string, params: JsonRecord, parent: string | undefined): void {
    switch (method) {
      case 'thread/started':
        this.#threadSeen(record(params.thread));
        break;
      case 'turn/started':
        if (parent !== undefined) break;
        this.#turn = text(record(params.turn).id);
        this.#lastText = undefined;
        this.#emit({ type: 'turn' });
        break;
      case 'item/started':
        this.#tool(record(params.item), parent);
        break;
      case 'item/completed':
        this.#completed(record(params.item), parent);
        break;
      case 'thread/tokenUsage/updated':
        this.#usage(params, parent);
        break;
      case 'turn/completed':
        if (parent === undefined) this.#turnEnded(record(params.turn));
        break;
      case 'serverRequest/resolved': {
        const requestId = requestIdOf(params.requestId);
        if (requestId !== undefined) this.#emit({ type: 'request-closed', requestId, cancelled: false });
        break;
      }
      case 'error':
        this.#notice('error', record(params.error).message ?? params.message);
        break;
      case 'warning':
      case 'configWarning':
      case 'deprecationNotice':
        this.#notice('warning', params.message ?? params.summary);
        break;
    }
  }

  #request(requestId: RequestId, method: string, params: JsonRecord, parent: string | undefined): void {
    const toolUseId = text(params.itemId) ?? text(params.callId);
    const input = params;
    const asked = questionsOf(method, params);
    if (asked) {
      this.#emit({ type: 'question', ...asked, requestId, toolUseId, input, parent });
    } else if (method.endsWith('Approval') || method === ELICITATION) {
      const tool = method.replace(/^item\//, '').replace(/\/request(?:Approval)?$/, '');
      const reason = text(params.reason) ?? text(params.message);
      this.#emit({ type: 'permission', requestId, toolUseId, tool, input, reason, parent, request: params });
    } else {
      this.#emit({ type: 'request', requestId, kind: method, request: params });
    }
  }

  #tool(item: JsonRecord, parent: string | undefined): void {
    const kind = text(item.type);
    if (kind === undefined || SPEECH.has(kind)) return;
    const tool = text(item.tool);
    const name =
      tool === undefined ? kind : [text(item.server) ?? text(item.namespace), tool].filter(Boolean).join('.');
    this.#emit({ type: 'tool', toolUseId: text(item.id), name, input: item.arguments ?? item, parent });
  }

  #completed(item: JsonRecord, parent: string | undefined): void {
    const id = text(item.id);
    if (item.type === 'dynamicToolCall' && item.tool === ASK_HUMAN && id !== undefined) {
      this.#emit({ type: 'tool-result', toolUseId: id, isError: item.success === false });
    }
    if (item.type !== 'agentMessage' || typeof item.text !== 'string') return;
    if (parent === undefined) this.#lastText = item.text;
    this.#emit({ type: 'text', text: item.text, messageId: id, parent });
  }

  /** `last` is one call of the model; `total` includes earlier runs of the thread, but tells repeats apart. */
  #usage(params: JsonRecord, parent: string | undefined): void {
    const { last, total } = record(params.tokenUsage);
    const turn = text(params.turnId);
    // When a thread is resumed, the figures of a turn before may come again.
    if (parent === undefined && this.#turn !== undefined && turn !== this.#turn) return;
    const messageId = `${turn}:${record(total).totalTokens}`;
    this.#emit({ type: 'message', messageId, usage: usageOf(last, names), parent });
  }

  #turnEnded(turn: JsonRecord): void {
    const interrupted = turn.status === 'interrupted';
    const isError = interrupted || turn.status === 'failed' || isRecord(turn.error);
    const said = text(record(turn.error).message);
    const error = said ?? (interrupted ? 'The turn was interrupted.' : 'The turn failed.');
    const spoken = list(turn.items)
      .map(record)
      .findLast((item) => item.type === 'agentMessage');
    this.#emit({
      type: 'result',
      ok: !isError,
      isError,
      interrupted,
      subtype: text(turn.status),
      text: this.#lastText ?? text(spoken?.text),
      errors: isError ? [error] : [],
      denials: [],
      usageOf: 'turn',
    });
  }

  #notice(level: 'warning' | 'error', message: unknown): void {
    this.#emit({ type: 'notice', level, message: text(message) ?? 'The agent reports a problem.' });
  }
}

/** Which of its requests ask a person for more than a yes or no, and what. */
function questionsOf(
  method: string,
  params: JsonRecord,
): Pick<QuestionEvent, 'place' | 'questions'> | undefined {
  if (method === 'item/tool/requestUserInput') return { place: 'request', questions: askedQuestions(params) };
  if (method === 'item/tool/call' && params.tool === ASK_HUMAN) {
    return { place: 'request', questions: askedQuestions(params.arguments) };
  }
  // Codex asks for leave to call an MCP tool in the same way.
  const forms = method === ELICITATION && text(record(params._meta).codex_approval_kind) === undefined;
  return forms ? { place: 'elicitation', questions: elicitedQuestions(params) } : undefined;
}
