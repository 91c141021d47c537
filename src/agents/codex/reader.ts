import { isAcp } from '../acp/reader.ts';
import {
  type AgentReader,
  Beginnings,
  type Emit,
  isRecord,
  type JsonRecord,
  record,
  text,
  type UsageNames,
  usageOf,
} from '../stream/agent-reader.ts';
import { AppServerReader } from './app-server-reader.ts';

/** Lines that can be skipped: pieces of a message that follows as a whole, tool output, and unused figures. */
const chatter = new Beginnings([
  '{"method":"item/agentMessage/delta",',
  '{"method":"item/reasoning/',
  '{"method":"item/plan/delta",',
  '{"method":"item/commandExecution/outputDelta",',
  '{"method":"item/fileChange/outputDelta",',
  '{"method":"item/mcpToolCall/progress",',
  '{"method":"account/',
]);

/** An event of `codex exec`, a notification or request of the app-server, or its response to a first call. */
export function isCodex({ type, method, result }: JsonRecord): boolean {
  if (typeof type === 'string') return /^(?:thread|turn|item)\./.test(type);
  if (typeof method === 'string') return /^(?:thread|turn|item|account|mcpServer)\//.test(method);
  return isRecord(result) && ('codexHome' in result || 'thread' in result);
}

/** Codex: the events of `codex exec --json` and the messages of `codex app-server`. */
export class CodexReader implements AgentReader {
  readonly #exec: ExecReader;
  readonly #appServer: AppServerReader;
  #sessionKnown = false;

  constructor(emit: Emit) {
    const emitAndWatch: Emit = (event) => {
      if (event.type === 'session') this.#sessionKnown = true;
      emit(event);
    };
    this.#exec = new ExecReader(emitAndWatch);
    this.#appServer = new AppServerReader(emitAndWatch);
  }

  skips(bytes: Buffer, start: number, end: number): boolean {
    return this.#sessionKnown && chatter.match(bytes, start, end);
  }

  read(object: JsonRecord): boolean {
    if (isAcp(object)) return false;
    if (typeof object.type === 'string') this.#exec.read(object);
    else if ('method' in object || 'id' in object) this.#appServer.read(object);
    else return false;
    return true;
  }
}

const names: UsageNames = [
  'input_tokens',
  'output_tokens',
  'cached_input_tokens',
  'cache_write_input_tokens',
];

const MAX_STARTED = 1000;

/** The events of `codex exec --json`, which has no way to ask a question. */
class ExecReader {
  readonly #emit: Emit;
  readonly #started = new Set<string>();
  #lastText: string | undefined;

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  read(object: JsonRecord): void {
    switch (object.type) {
      case 'thread.started': {
        const sessionId = text(object.thread_id);
        if (sessionId !== undefined) this.#emit({ type: 'session', sessionId, init: true });
        break;
      }
      case 'turn.started':
        this.#lastText = undefined;
        this.#emit({ type: 'turn' });
        break;
      case 'turn.completed': {
        // Counted from the first run of the thread, so after a resume it includes what was reported before.
        const usage = usageOf(object.usage, names);
        const isUsageOfSession = true;
        this.#emit({ type: 'result', ok: true, text: this.#lastText, errors: [], usage, isUsageOfSession });
        break;
      }
      case 'turn.failed': {
        const error = text(record(object.error).message) ?? 'The turn failed.';
        this.#emit({ type: 'result', ok: false, text: this.#lastText, errors: [error] });
        break;
      }
      case 'error':
        this.#notice('error', object.message);
        break;
      case 'item.started':
        this.#item(record(object.item), true);
        break;
      case 'item.completed':
        this.#item(record(object.item), false);
        break;
    }
  }

  #item(item: JsonRecord, started: boolean): void {
    const kind = text(item.type) ?? text(item.item_type);
    const messageId = text(item.id);
    switch (kind) {
      case 'agent_message':
      case 'assistant_message':
        if (started || typeof item.text !== 'string') return;
        this.#lastText = item.text;
        this.#emit({ type: 'text', text: item.text, messageId });
        return;
      case 'error':
        // The turn continues after these; a failed turn ends with `turn.failed`.
        if (!started) this.#notice('warning', item.message);
        return;
      case undefined:
      case 'reasoning':
      case 'todo_list':
        return;
      default:
        this.#tool(kind, item, started);
    }
  }

  /** Reported at the start, or at completion if the start was not reported. */
  #tool(kind: string, item: JsonRecord, started: boolean): void {
    const toolUseId = text(item.id);
    if (toolUseId !== undefined) {
      if (!started && this.#started.delete(toolUseId)) return;
      if (started && this.#started.size < MAX_STARTED) this.#started.add(toolUseId);
    }
    const called = [text(item.server), text(item.tool)].filter((part) => part !== undefined).join('.');
    const name = called === '' ? kind : called;
    this.#emit({ type: 'tool', toolUseId, name, input: item.arguments ?? item });
  }

  #notice(level: 'warning' | 'error', message: unknown): void {
    this.#emit({ type: 'notice', level, message: text(message) ?? 'The agent reports an error.' });
  }
}
