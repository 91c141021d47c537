import { randomUUID } from 'node:crypto';
import { closeSync } from 'node:fs';
import type { Arguments } from './arguments.ts';
import type { Messages, ResultParts, Tokens } from './messages.ts';
import type { Call } from './session-log.ts';

const DEFAULT_TOKENS: Tokens = { inputTokens: 100, outputTokens: 20 };

/** What the agent shows in one turn, with the totals. */
export class TurnOutput {
  /** Refused calls, which the result lists. */
  readonly denials: Call[] = [];
  tokensPerMessage = DEFAULT_TOKENS;
  readonly #messages: Messages;
  readonly #output: Output;
  readonly #began = Date.now();
  #messageId: string | undefined;
  #tokens: Tokens = { inputTokens: 0, outputTokens: 0 };
  #turns = 0;
  #lastText = '';

  constructor(messages: Messages, output: Output) {
    this.#messages = messages;
    this.#output = output;
  }

  begin(): void {
    this.#output.event(this.#messages.init());
  }

  say(text: string, parent?: string): void {
    if (parent === undefined) this.#lastText = text;
    this.#block({ type: 'text', text }, parent);
  }

  think(thinking: string, parent?: string): void {
    this.#block({ type: 'thinking', thinking, signature: '' }, parent);
  }

  use(call: Call, stopReason: string | null = null): void {
    const block = { type: 'tool_use', id: call.toolUseId, name: call.tool, input: call.input };
    this.#block(block, call.parent, stopReason);
  }

  /** The model continues in a new message. */
  toolResult(call: Call, text: string, isError: boolean, detail: unknown): void {
    this.#output.event(this.#messages.toolResult(call, text, isError, detail));
    this.#messageId = undefined;
    this.#turns += 1;
  }

  permissionDenied(call: Call, message: string): void {
    this.#output.event(this.#messages.permissionDenied(call, message));
  }

  interrupted(text: string): void {
    this.#output.event(this.#messages.userText(text));
    this.#turns += 1;
  }

  result(parts: Pick<ResultParts, 'subtype' | 'isError' | 'stopReason'> & Partial<ResultParts>): void {
    const text = parts.subtype === 'success' ? (parts.text ?? this.#lastText) : undefined;
    const event = this.#messages.result({
      ...parts,
      text,
      numTurns: this.#turns + 1,
      durationMs: Date.now() - this.#began,
      tokens: this.#tokens,
      denials: this.denials,
    });
    this.#output.result(event, text ?? parts.errors?.join('\n') ?? '');
  }

  #block(block: Record<string, unknown>, parent: string | undefined, stopReason: string | null = null): void {
    if (this.#messageId === undefined) this.#count();
    const id = this.#messageId ?? '';
    this.#output.event(this.#messages.block(id, block, this.tokensPerMessage, parent, stopReason));
  }

  #count(): void {
    this.#messageId = `msg_${randomUUID().replaceAll('-', '').slice(0, 24)}`;
    this.#tokens = {
      inputTokens: this.#tokens.inputTokens + this.tokensPerMessage.inputTokens,
      outputTokens: this.#tokens.outputTokens + this.tokensPerMessage.outputTokens,
    };
  }
}

const CHUNK = 1024 * 1024;

/** What the program writes. */
export class Output {
  /** Dies of SIGKILL after this many more lines. */
  crashAfter: number | undefined;
  readonly #format: Arguments['output'];
  #closed = false;

  constructor(format: Arguments['output']) {
    this.#format = format;
    // Nobody reads the output any more, so there is nothing left to do.
    process.stdout.on('error', () => process.exit(1));
  }

  /** Prints an event, if the caller wants events. */
  event(event: object): void {
    if (this.#format === 'stream-json') this.line(JSON.stringify(event));
  }

  /** Prints the end of a turn, which is the whole output in the other formats. */
  result(event: object, text: string): void {
    this.line(this.#format === 'text' ? text : JSON.stringify(event));
  }

  line(text: string): void {
    if (this.#closed) return;
    process.stdout.write(`${text}\n`);
    if (this.crashAfter === undefined) return;
    this.crashAfter -= 1;
    if (this.crashAfter <= 0) process.kill(process.pid, 'SIGKILL');
  }

  async bytes(bytes: Uint8Array): Promise<void> {
    if (!this.#closed) await written(process.stdout, bytes);
  }

  /** Repeats a text with only one chunk of it in memory. */
  async flood(to: 'stdout' | 'stderr', text: string, bytes: number): Promise<void> {
    const piece = Buffer.alloc(Math.min(bytes, CHUNK), text);
    for (let left = bytes; left > 0; left -= piece.length) {
      await written(process[to], left < piece.length ? piece.subarray(0, left) : piece);
    }
  }

  async close(): Promise<void> {
    await this.flushed();
    this.#closed = true;
    closeSync(1);
  }

  /** Resolves when everything has left this process. */
  async flushed(): Promise<void> {
    if (!this.#closed) await written(process.stdout, new Uint8Array());
  }
}

function written(stream: NodeJS.WriteStream, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => stream.write(bytes, () => resolve()));
}
