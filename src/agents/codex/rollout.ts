import { entryOf, GrowingFile, toolResult, transcriptLines } from '../run/transcript.ts';
import { isRecord, record } from '../stream/fields.ts';

/** What Codex writes instead of an outcome that never came. */
const BROKEN_OFF = /^(?:aborted\b|dynamic tool call was cancelled)/;

/** How the record names a sub-agent: in the outcome of the call that started it, or in an event about it. */
const SUB_AGENT = /"agent(?:_thread)?_id\\*":\s*\\*"([0-9a-f-]{36})/g;
/** The first and the last line of a turn. */
const TURN = /^\{[^{]*"event_msg","payload":\{"type":"(task_started|task_complete|turn_aborted)"/;

/** Codex's record of one thread on disk, read while it grows. */
export class Rollout {
  /** The ids of the calls that the model has made. */
  readonly calls = new Set<string>();
  /** The outcomes of its calls, by the call's id. */
  readonly results = new Map<string, { isError: boolean; text: string }>();
  /** The messages sent to it. */
  readonly said: string[] = [];
  /** The threads of its sub-agents. */
  readonly subAgents = new Set<string>();
  /** True if the record has no complete line, because Codex was killed while creating it. */
  isBlank = true;
  /** True once the thread has finished its task. */
  isDone = false;
  readonly #file: GrowingFile;

  constructor(path: string) {
    const lines = transcriptLines((line) => this.#line(line));
    this.#file = new GrowingFile(path, (chunk) => lines.push(chunk));
  }

  /** True once the outcome of a call is on disk, so that a resumed thread has it. */
  has(callId: string): boolean {
    return this.results.get(callId)?.isError === false;
  }

  /** True once it was sent these words, as a whole message or part of one. */
  wasTold(words: string): boolean {
    return this.said.some((text) => text.includes(words.trim()));
  }

  /** Reads what was written since the last call. */
  readAppended(): Promise<void> {
    return this.#file.readAppended();
  }

  #line(line: string): void {
    this.isBlank = false;
    for (const [, threadId = ''] of line.matchAll(SUB_AGENT)) this.subAgents.add(threadId);
    const turn = TURN.exec(line)?.[1];
    if (turn) this.isDone = turn === 'task_complete';
    if (!line.includes('"response_item"')) return;
    const { type, role, call_id: callId, output, content } = record(entryOf(line)?.payload);
    if (type === 'message' && role === 'user') this.said.push(textOf(content));
    if (typeof callId !== 'string' || typeof type !== 'string') return;
    if (type.endsWith('_call')) this.calls.add(callId);
    if (!type.endsWith('_call_output')) return;
    const text = textOf(output);
    this.results.set(callId, toolResult(BROKEN_OFF.test(text), text));
  }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => (isRecord(part) && typeof part.text === 'string' ? part.text : '')).join('\n');
}
