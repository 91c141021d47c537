import { LineSplitter } from '../../channels/line-splitter.ts';
import { AcpReader } from '../acp/reader.ts';
import type { Usage } from '../driver.ts';
import { scanObject } from '../questions/scan-object.ts';
import { type AgentReader, isSpace } from './agent-reader.ts';
import type { AgentKind, StreamEvent } from './events.ts';
import { isRecord, type JsonRecord } from './fields.ts';
import { readerOf, UnknownAgent } from './unknown-agent.ts';
import { RunFold, type RunView } from './view.ts';

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
