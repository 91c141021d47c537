import { LineSplitter } from '../../files/line-splitter.ts';
import { AcpReader, isAcp } from '../acp/reader.ts';
import { ClaudeReader, isClaude } from '../claude/reader.ts';
import { CodexReader, isCodex } from '../codex/reader.ts';
import type { Usage } from '../driver.ts';
import { GeminiReader, isGemini } from '../gemini/reader.ts';
import { scanObject } from '../questions/find-json.ts';
import { type AgentReader, type Emit, isRecord, isSpace, type JsonRecord } from './agent-reader.ts';
import { type AgentKind, agentKinds, type StreamEvent } from './events.ts';
import { RunFold, type RunView } from './view.ts';

export type AgentOutput =
  | string
  | Uint8Array
  | Iterable<Uint8Array | string>
  | AsyncIterable<Uint8Array | string>;

/**
 * Reads the output of an agent's run to its end: session, questions, text, tokens, and how it ended.
 *
 * @example const view = await readAgentStream(createReadStream('run.jsonl'), { from: 'claude' });
 */
export async function readAgentStream(
  output: AgentOutput,
  options: AgentStreamOptions = {},
): Promise<RunView> {
  const stream = new AgentStream(options);
  const chunks = typeof output === 'string' || output instanceof Uint8Array ? [output] : output;
  for await (const chunk of chunks) stream.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  stream.end();
  return stream.view();
}

export interface AgentStreamOptions {
  /** The agent that wrote it; detected if not given. */
  from?: AgentKind;
  /** Called for each event, after the view is updated. */
  onEvent?(event: StreamEvent): void;
  /** False reads every line, even those that never matter. The result is the same. */
  skipsLines?: boolean;
}

const OPEN = 0x7b;
const CLOSE = 0x7d;
/** How much of an unreadable line is reported. */
const MAX_ERROR_TEXT = 1000;

/** An agent's output as it arrives: bytes in, events and a view of the run out. Never throws because of the output. */
export class AgentStream {
  readonly #lines: LineSplitter;
  readonly #reader: AgentReader;
  /** Any agent may speak this protocol instead, through an adapter or by itself. */
  readonly #acp: AcpReader;
  readonly #fold = new RunFold();
  readonly #onEvent: ((event: StreamEvent) => void) | undefined;
  readonly #skipsLines: boolean;
  #first = true;

  constructor({ from, onEvent, skipsLines = true }: AgentStreamOptions = {}) {
    const emit = (event: StreamEvent) => this.#emit(event);
    this.#onEvent = onEvent;
    this.#skipsLines = skipsLines;
    this.#reader = from ? readerOf(from, emit) : new UnknownAgent(emit);
    this.#acp = new AcpReader(emit);
    this.#lines = new LineSplitter(
      (bytes, start, end) => this.#line(bytes, start, end),
      (bytes, text) => emit({ type: 'malformed', reason: 'the line is too long', text, bytes }),
    );
  }

  push(chunk: Uint8Array): void {
    this.#lines.push(chunk);
  }

  end(): void {
    this.#lines.end();
    this.#reader.finish?.();
  }

  view(): RunView {
    return this.#fold.view();
  }

  /** The tokens so far, as in `view`. */
  get usage(): Usage {
    return this.#fold.usage;
  }

  #emit(event: StreamEvent): void {
    this.#fold.add(event);
    this.#onEvent?.(event);
  }

  #line(bytes: Buffer, from: number, to: number): void {
    let start = this.#first ? afterByteOrderMark(bytes, from) : from;
    let end = to;
    this.#first = false;
    while (end > start && isSpace(bytes[end - 1])) end -= 1;
    while (start < end && isSpace(bytes[start])) start += 1;
    if (start === end || (this.#skipsLines && this.#reader.skips(bytes, start, end))) return;
    const whole = bytes[start] === OPEN && bytes[end - 1] === CLOSE;
    const object = whole ? parsed(bytes.toString('utf8', start, end)) : undefined;
    if (!object) this.#pieces(bytes, start, end);
    else if (!this.#read(object)) this.#malformed('an unknown kind of object', bytes, start, end);
  }

  /** Reads all objects of a line. Reports anything before, between or after them once. */
  #pieces(bytes: Buffer, start: number, end: number): void {
    const text = bytes.toString('utf8', start, end);
    let odd = false;
    let done = 0;
    while (done < text.length) {
      const at = text.indexOf('{', done);
      if (at === -1 || text.slice(done, at).trim() !== '') odd = true;
      if (at === -1) break;
      const { object, end: behind } = scanObject(text, at);
      if (!object || !this.#read(object)) odd = true;
      // Nothing after a broken object is trusted, because it may be part of that object.
      if (!object) break;
      done = behind;
    }
    if (odd) this.#malformed('not JSON', bytes, start, end);
  }

  #read(object: JsonRecord): boolean {
    return this.#reader.read(object) || this.#acp.read(object);
  }

  #malformed(reason: string, bytes: Buffer, start: number, end: number): void {
    const text = bytes.toString('utf8', start, Math.min(end, start + MAX_ERROR_TEXT));
    this.#emit({ type: 'malformed', reason, text, bytes: end - start });
  }
}

function parsed(text: string): JsonRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function afterByteOrderMark(bytes: Buffer, start: number): number {
  return bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf ? start + 3 : start;
}

/** How many objects are held back until one of them identifies the agent. */
const MAX_HELD = 100;

/**
 * How each agent's objects are recognised, and which reader reads them. Gemini comes before Claude, because some of its
 * results look similar.
 */
const agents: Record<AgentKind, { isFrom(object: JsonRecord): boolean; reader(emit: Emit): AgentReader }> = {
  gemini: { isFrom: isGemini, reader: (emit) => new GeminiReader(emit) },
  claude: { isFrom: isClaude, reader: (emit) => new ClaudeReader(emit) },
  codex: { isFrom: isCodex, reader: (emit) => new CodexReader(emit) },
};

const readerOf = (kind: AgentKind, emit: Emit): AgentReader => agents[kind].reader(emit);

/** Detects from the first objects which agent is speaking, then reads them. */
class UnknownAgent implements AgentReader {
  readonly #emit: Emit;
  #known: AgentReader | undefined;
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
    const detected = kindOf(object);
    if (!detected && typeof object.type !== 'string' && !('method' in object) && !('id' in object))
      return false;
    const kind = detected ?? (this.#held.length >= MAX_HELD ? 'claude' : undefined);
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
      message: `This is not the output of a known agent (${agentKinds.join(', ')}).`,
    });
  }

  #settle(kind: AgentKind): void {
    const reader = readerOf(kind, this.#emit);
    this.#known = reader;
    for (const object of this.#held) reader.read(object);
    this.#held = [];
  }
}

/** The agent that writes such objects; undefined if the object does not show it. */
function kindOf(object: JsonRecord): AgentKind | undefined {
  return (Object.keys(agents) as AgentKind[]).find((kind) => agents[kind].isFrom(object));
}
