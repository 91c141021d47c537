import {
  type AgentReader,
  Beginnings,
  BoundedText,
  type Emit,
  type JsonRecord,
  OpenCalls,
  record,
  text,
  type UsageNames,
  usageOf,
} from '../stream/agent-reader.ts';

const ASK = 'ask_user';

const names: UsageNames = ['input_tokens', 'output_tokens', 'cached', 'cache_creation'];

const outcomes = new Beginnings(['{"type":"tool_result",']);

const TYPES = new Set<unknown>(['init', 'message', 'tool_use', 'tool_result']);

/** Claude Code has results too, but without figures and with a subtype instead of a status. */
export function isGemini(object: JsonRecord): boolean {
  if (object.type === 'result') return 'stats' in object || typeof object.status === 'string';
  return TYPES.has(object.type);
}

/** Gemini CLI's stream-json. */
export class GeminiReader implements AgentReader {
  readonly #emit: Emit;
  readonly #openCalls = new OpenCalls();
  #sessionKnown = false;
  /** Its pieces of text have no id, so consecutive pieces are one message. */
  #message = 0;
  readonly #lastText = new BoundedText();

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  skips(bytes: Buffer, start: number, end: number): boolean {
    return this.#sessionKnown && this.#openCalls.none && outcomes.match(bytes, start, end);
  }

  read(object: JsonRecord): boolean {
    this.#session(object);
    switch (object.type) {
      case 'init':
        this.#emit({ type: 'turn' });
        break;
      case 'message':
        this.#text(object);
        break;
      case 'tool_use':
        this.#tool(object);
        break;
      case 'tool_result': {
        const toolUseId = text(object.tool_id);
        if (toolUseId === undefined || !this.#openCalls.settle(toolUseId)) break;
        this.#emit({ type: 'tool-result', toolUseId, isError: object.status === 'error' });
        break;
      }
      case 'error': {
        const level = object.severity === 'warning' ? 'warning' : 'error';
        this.#emit({ type: 'notice', level, message: text(object.message) ?? 'The agent reports an error.' });
        break;
      }
      case 'result':
        this.#result(object);
        break;
      default:
        return typeof object.type === 'string';
    }
    return true;
  }

  #session(object: JsonRecord): void {
    const init = object.type === 'init';
    if (this.#sessionKnown && !init) return;
    const sessionId = text(object.session_id);
    if (sessionId === undefined) return;
    this.#sessionKnown = true;
    this.#emit({ type: 'session', sessionId, init, model: text(object.model) });
  }

  #text(object: JsonRecord): void {
    if (object.role !== 'assistant' || typeof object.content !== 'string') {
      this.#nextMessage();
      return;
    }
    if (object.delta !== true) this.#nextMessage();
    this.#lastText.add(object.content);
    this.#emit({ type: 'text', text: object.content, messageId: String(this.#message) });
  }

  #tool(object: JsonRecord): void {
    this.#nextMessage();
    const name = text(object.tool_name);
    const toolUseId = text(object.tool_id);
    if (name === undefined) return;
    const { parameters } = object;
    this.#emit({ type: 'tool', toolUseId, name, input: parameters });
    if (name !== ASK) return;
    this.#openCalls.add(toolUseId);
    this.#emit({ type: 'question', place: 'tool_use', toolUseId, input: parameters });
  }

  #nextMessage(): void {
    this.#message += 1;
    this.#lastText.clear();
  }

  #result(object: JsonRecord): void {
    const isError = object.status === 'error' || (object.status === undefined && object.error !== undefined);
    const message = text(record(object.error).message) ?? text(object.error);
    this.#openCalls.clear();
    this.#emit({
      type: 'result',
      ok: !isError,
      subtype: text(object.status),
      text: text(this.#lastText.text),
      errors: isError ? [message ?? 'The agent reports an error.'] : [],
      usage: usageOf(object.stats, names),
    });
    this.#nextMessage();
  }
}
