import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { list, record, text } from '../../agents/stream/agent-reader.ts';
import { LineSplitter } from '../../files/line-splitter.ts';
import { isRecord } from '../../ledger/forms/record.ts';
import type { HookInput } from './hook-input.ts';

interface ToolCall {
  id: string;
  tool: string;
  input: unknown;
}

/** What a tool call came to, as Claude Code recorded it. */
export interface ToolResult {
  isError: boolean;
  /** What the model got. */
  text: string;
  /** What the program itself keeps of it: for a question, its answers. */
  result: unknown;
  /** Whether a hook decided, if the version says so. */
  isByHook: boolean;
}

/** How far back to read. */
const MAX_BYTES = 32 * 1024 * 1024;
const CHUNK = 1024 * 1024;

/**
 * The file in which Claude Code records a conversation, read as it grows. It is the only place that tells all the ways in which
 * a dialog can end.
 */
export class Transcript {
  readonly #path: string;
  readonly #calls: ToolCall[] = [];
  readonly #results = new Map<string, ToolResult>();
  readonly #lines = new LineSplitter(
    (bytes, start, end) => this.#take(bytes.toString('utf8', start, end)),
    () => undefined,
  );
  #at: number | undefined;
  #news = '';
  #heard = '';
  #said: string | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** That of the conversation that a hook belongs to: a sub-agent has a file of its own. */
  static of({ transcript_path, session_id, agent_id }: HookInput): Transcript {
    if (agent_id === undefined) return new Transcript(transcript_path);
    return new Transcript(join(dirname(transcript_path), session_id, 'subagents', `agent-${agent_id}.jsonl`));
  }

  /** Reads what was added; nothing if there is no file yet. */
  read(): this {
    let file: number;
    try {
      file = openSync(this.#path, 'r');
    } catch {
      return this;
    }
    try {
      const { size } = fstatSync(file);
      this.#at ??= Math.max(0, size - MAX_BYTES);
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK, Math.max(0, size - this.#at)));
      while (this.#at < size) {
        const count = readSync(file, chunk, 0, chunk.length, this.#at);
        if (count === 0) break;
        this.#at += count;
        this.#lines.push(chunk.subarray(0, count));
      }
    } finally {
      closeSync(file);
    }
    return this;
  }

  /** The last call of this tool that has no result yet: the one with this input, or the only one. */
  pendingCall(tool: string, input: unknown): string | undefined {
    const pending = this.#calls.filter((call) => call.tool === tool && !this.#results.has(call.id));
    const same = pending.findLast((call) => isDeepStrictEqual(call.input, input));
    return (same ?? (pending.length === 1 ? pending[0] : undefined))?.id;
  }

  call(id: string | undefined): ToolCall | undefined {
    return this.#calls.find((call) => call.id === id);
  }

  result(id: string | undefined): ToolResult | undefined {
    return id === undefined ? undefined : this.#results.get(id);
  }

  /** Whether the model continued after a hook had given it a text with this word. */
  wasHeard(word: string): boolean {
    return this.#heard.includes(word);
  }

  /** What the agent said last. */
  get said(): string | undefined {
    return this.#said;
  }

  #take(line: string): void {
    // Most of the file repeats whole requests, which are expensive to parse.
    if (!/"type":"(?:assistant|user|attachment)"/.test(line)) return;
    const entry = parsed(line);
    if (entry.type === 'attachment') this.#news += JSON.stringify(entry.attachment ?? '');
    else if (entry.type === 'assistant') this.#answered(list(record(entry.message).content));
    else if (entry.type === 'user') this.#resulted(entry);
  }

  #answered(content: readonly unknown[]): void {
    this.#heard += this.#news;
    this.#news = '';
    for (const block of content.filter(isRecord)) {
      const id = text(block.id);
      if (block.type === 'text') this.#said = text(block.text) ?? this.#said;
      if (block.type === 'tool_use' && id !== undefined)
        this.#calls.push({ id, tool: text(block.name) ?? '', input: block.input });
    }
  }

  #resulted(entry: Record<string, unknown>): void {
    const { content } = record(entry.message);
    if (typeof content === 'string') this.#news += content;
    for (const block of list(content).filter(isRecord)) {
      const id = text(block.tool_use_id);
      if (block.type === 'text') this.#news += text(block.text) ?? '';
      if (block.type !== 'tool_result' || id === undefined) continue;
      this.#results.set(id, {
        isError: block.is_error === true,
        text: wordsIn(block.content),
        result: entry.toolUseResult,
        isByHook: /hook/i.test(text(record(entry.permissionDecision).source) ?? ''),
      });
    }
  }
}

const wordsIn = (content: unknown): string =>
  text(content) ??
  list(content)
    .map((block) => text(record(block).text) ?? '')
    .join('\n');

function parsed(line: string): Record<string, unknown> {
  try {
    return record(JSON.parse(line));
  } catch {
    return {}; // cut at the beginning of what we read, or by a crash
  }
}
