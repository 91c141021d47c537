import {
  type AgentReader,
  BoundedText,
  type Emit,
  isRecord,
  type JsonRecord,
  OpenCalls,
  record,
  requestIdOf,
  text,
  type UsageNames,
  usageOf,
} from '../stream/agent-reader.ts';
import type { RequestId } from '../stream/events.ts';
import { askedQuestions } from '../stream/questions.ts';

/** The names of the agents' own question tools. */
const ASK = new Set(['AskUserQuestion', 'question']);

const names: UsageNames = ['inputTokens', 'outputTokens', 'cachedReadTokens', 'cachedWriteTokens'];
const geminiNames: UsageNames = ['input_tokens', 'output_tokens', 'cachedReadTokens', 'cachedWriteTokens'];

/** Whether this is a message of the Agent Client Protocol and not of Codex, which leaves out `jsonrpc`. */
export function isAcp(object: JsonRecord): boolean {
  if (!('jsonrpc' in object)) return false;
  return typeof object.method !== 'string' || !/^(?:thread|turn|item)\//.test(object.method);
}

/** Reads the Agent Client Protocol as spoken by the adapters of Claude and Codex, and by Gemini and opencode. */
export class AcpReader implements AgentReader {
  readonly #emit: Emit;
  readonly #openCalls = new OpenCalls();
  readonly #lastText = new BoundedText();
  #sessionKnown = false;
  /** Our own count of messages, because not every agent says which message a piece belongs to. */
  #message = 0;

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  skips(): boolean {
    return false;
  }

  read(object: JsonRecord): boolean {
    if (!isAcp(object)) return false;
    const requestId = requestIdOf(object.id);
    const params = record(object.params);
    this.#session(params, false);
    if (typeof object.method === 'string') {
      if (requestId !== undefined) this.#request(requestId, object.method, params);
      else if (object.method === 'session/update') this.#update(record(params.update));
    } else if (requestId !== undefined) {
      this.#response(requestId, object);
    }
    return true;
  }

  #session(from: JsonRecord, init: boolean): void {
    const sessionId = text(from.sessionId);
    if (sessionId === undefined || this.#sessionKnown) return;
    this.#sessionKnown = true;
    this.#emit({ type: 'session', sessionId, init });
  }

  #update(update: JsonRecord): void {
    const about = record(record(update._meta).claudeCode);
    const parent = text(about.parentToolUseId);
    switch (update.sessionUpdate) {
      case 'agent_message_chunk': {
        const piece = record(update.content);
        if (piece.type !== 'text' || typeof piece.text !== 'string') break;
        if (parent === undefined) this.#lastText.add(piece.text);
        const messageId = text(update.messageId) ?? String(this.#message);
        this.#emit({ type: 'text', text: piece.text, messageId, parent });
        break;
      }
      case 'tool_call':
      case 'tool_call_update':
        this.#tool(update, text(about.toolName), parent);
        break;
    }
  }

  /** A call is reported first without its input, then with it, then with its outcome. */
  #tool(update: JsonRecord, toolName: string | undefined, parent: string | undefined): void {
    const { rawInput: input, status } = update;
    const toolUseId = text(update.toolCallId);
    const name = toolName ?? text(update.name) ?? text(update.title) ?? 'unknown';
    if (update.sessionUpdate === 'tool_call') {
      this.#message += 1;
      this.#lastText.clear();
      this.#emit({ type: 'tool', toolUseId, name, input, parent });
    }
    // The input may arrive later than the call.
    if (ASK.has(name) && askedQuestions(input).length > 0) {
      this.#openCalls.add(toolUseId);
      this.#emit({ type: 'question', place: 'tool_use', toolUseId, input, parent });
    }
    if ((status === 'completed' || status === 'failed') && toolUseId && this.#openCalls.settle(toolUseId)) {
      this.#emit({ type: 'tool-result', toolUseId, isError: status === 'failed' });
    }
  }

  #request(requestId: RequestId, method: string, params: JsonRecord): void {
    if (method === 'elicitation/create') {
      const toolUseId = text(params.toolCallId);
      this.#emit({ type: 'question', place: 'elicitation', requestId, toolUseId, input: params });
    } else if (method === 'session/request_permission') {
      const call = record(params.toolCall);
      const tool = text(call.title) ?? text(call.kind) ?? 'unknown';
      const toolUseId = text(call.toolCallId);
      this.#emit({ type: 'permission', requestId, toolUseId, tool, input: call, request: params });
    } else {
      this.#emit({ type: 'request', requestId, kind: method, request: params });
    }
  }

  #response(requestId: RequestId, object: JsonRecord): void {
    const result = record(object.result);
    this.#session(result, true);
    const error = isRecord(object.error) ? (text(object.error.message) ?? 'The request failed.') : undefined;
    const ok = error === undefined;
    this.#emit({ type: 'response', requestId, ok, response: object.result, error });
    const stopReason = text(result.stopReason);
    if (stopReason === undefined) return;
    const interrupted = stopReason === 'cancelled';
    const refused = stopReason === 'refusal';
    const quota = record(record(result._meta).quota).token_count;
    this.#emit({
      type: 'result',
      ok: !interrupted && !refused,
      interrupted,
      stopReason,
      text: text(this.#lastText.text),
      errors: interrupted ? ['The turn was cancelled.'] : refused ? ['The model refused to continue.'] : [],
      usage: usageOf(result.usage, names) ?? usageOf(quota, geminiNames),
    });
    this.#openCalls.clear();
    this.#message += 1;
    this.#lastText.clear();
  }
}
