import { isRecord, type JsonRecord } from '../../ledger/forms/record.ts';
import { entryOf, type Transcript, toolResult, transcriptLines } from '../run/transcript.ts';

/** Collects from the lines of a transcript, which arrive in pieces, what the session has been told. */
export class TranscriptReader implements Transcript {
  readonly calls = new Set<string>();
  readonly results = new Map<string, { isError: boolean; text: string }>();
  readonly said: string[] = [];
  readonly #lines = transcriptLines((line) => this.#line(line));

  push(chunk: Buffer): void {
    this.#lines.push(chunk);
  }

  #line(line: string): void {
    // Most lines are of other kinds, and need no parsing.
    if (!line.includes('"message"') && !line.includes('"queued_command"')) return;
    const entry = entryOf(line);
    // Messages to a sub-agent are not part of the session that is resumed.
    if (!entry || entry.isSidechain === true) return;
    if (isRecord(entry.message)) this.#tell(entry.type, entry.message);
    if (isRecord(entry.attachment)) this.#attach(entry.attachment);
  }

  /** A message that arrived while the agent was working. */
  #attach({ type, prompt }: JsonRecord): void {
    if (type === 'queued_command' && typeof prompt === 'string') this.said.push(prompt);
  }

  #tell(type: unknown, { content }: JsonRecord): void {
    if (type !== 'user' && type !== 'assistant') return;
    if (type === 'user' && typeof content === 'string') this.said.push(content);
    for (const block of Array.isArray(content) ? content.filter(isRecord) : []) {
      if (type === 'assistant' && block.type === 'tool_use') this.calls.add(String(block.id));
      if (type === 'user' && block.type === 'text' && typeof block.text === 'string')
        this.said.push(block.text);
      if (type === 'user' && block.type === 'tool_result') this.#result(block);
    }
  }

  #result({ tool_use_id, is_error, content }: JsonRecord): void {
    const id = String(tool_use_id);
    // A resumed session may add an error next to a result that it already has.
    if (this.results.get(id)?.isError === false) return;
    const text = typeof content === 'string' ? content : (JSON.stringify(content) ?? '');
    this.results.set(id, toolResult(is_error === true, text));
  }
}
