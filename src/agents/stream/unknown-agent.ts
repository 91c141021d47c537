import { isAcp } from './acp.ts';
import { ClaudeDialect } from './claude.ts';
import { CodexDialect } from './codex.ts';
import type { Dialect, Emit } from './dialect.ts';
import type { AgentKind } from './events.ts';
import { type JsonRecord, record } from './fields.ts';
import { GeminiDialect } from './gemini.ts';

/** How many objects are kept back until one of them tells the agent. */
const MOST_HELD = 100;

const claude = new Set([
  'system',
  'assistant',
  'user',
  'stream_event',
  'content_block_delta',
  'control_request',
  'control_response',
  'control_cancel_request',
]);
const gemini = new Set(['init', 'message', 'tool_use', 'tool_result']);

export function dialectOf(kind: AgentKind, emit: Emit): Dialect {
  switch (kind) {
    case 'claude':
      return new ClaudeDialect(emit);
    case 'codex':
      return new CodexDialect(emit);
    case 'gemini':
      return new GeminiDialect(emit);
  }
}

/** Finds out from the first objects which agent speaks; what came before that is read then. */
export class UnknownAgent implements Dialect {
  readonly #emit: Emit;
  #known: Dialect | undefined;
  #held: JsonRecord[] = [];

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  skips(bytes: Buffer, start: number, end: number): boolean {
    return this.#known?.skips(bytes, start, end) ?? false;
  }

  read(object: JsonRecord): boolean {
    if (this.#known) return this.#known.read(object);
    if (isAcp(object)) return false;
    if (typeof object.type !== 'string' && !('method' in object) && !('id' in object)) return false;
    const kind = kindOf(object) ?? (this.#held.length >= MOST_HELD ? 'claude' : undefined);
    this.#held.push(object);
    if (kind !== undefined) this.#settle(kind);
    return true;
  }

  finish(): void {
    if (this.#known || this.#held.length === 0) return;
    this.#settle('claude');
    this.#emit({
      type: 'notice',
      level: 'error',
      message: 'This is not the output of Claude, Codex or Gemini.',
    });
  }

  #settle(kind: AgentKind): void {
    const dialect = dialectOf(kind, this.#emit);
    this.#known = dialect;
    for (const object of this.#held) dialect.read(object);
    this.#held = [];
  }
}

/** Which agent says such a thing; undefined where several do. */
function kindOf(object: JsonRecord): AgentKind | undefined {
  const { type, method } = object;
  if (typeof type === 'string') {
    if (claude.has(type)) return 'claude';
    if (gemini.has(type)) return 'gemini';
    if (/^(?:thread|turn|item)\./.test(type)) return 'codex';
    if (type === 'result')
      return 'stats' in object || typeof object.status === 'string' ? 'gemini' : 'claude';
    return undefined;
  }
  if (typeof method === 'string')
    return /^(?:thread|turn|item|account|mcpServer)\//.test(method) ? 'codex' : undefined;
  const result = record(object.result);
  return 'codexHome' in result || 'thread' in result ? 'codex' : undefined;
}
