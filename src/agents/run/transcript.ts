import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import { LineSplitter } from '../../files/line-splitter.ts';
import { isRecord, type JsonRecord } from '../../ledger/forms/record.ts';
import type { Notification, Response } from '../../schema/notification.ts';
import type { ChatMessage } from '../../schema/task.ts';
import { noAnswerText, responseAsText, restated, SKIPPED } from '../questions/answer-text.ts';
import { messageText } from './messages.ts';

/** What an agent's session on disk contains. */
export interface Transcript {
  /** The ids of the tool calls that it has made. */
  calls: ReadonlySet<string>;
  /** The results of its tool calls, by the call's id. */
  results: ReadonlyMap<string, { isError: boolean; text: string }>;
  /** The messages that it was sent. */
  messages: readonly string[];
  /** Whether it includes the calls of finished sub-agents. */
  hasSubAgents?: boolean;
}

/** How to continue a session: what to bring to it, and what it already has although the ledger does not know. */
interface Comparison {
  bring: Notification[];
  known: Notification[];
}

/**
 * Compares the answers of a run with its session on disk. An answer that is missing there is sent again, even if it
 * was delivered once, because the agent died before it was saved. Without a transcript, the ledger decides.
 */
export function compare(asked: readonly Notification[], transcript: Transcript | undefined): Comparison {
  const settled = asked.filter(({ status }) => status !== 'open' && status !== 'recorded');
  const isKnown = (each: Notification) => transcript !== undefined && hasAnswer(transcript, each);
  const isLost = (each: Notification) =>
    transcript !== undefined &&
    each.responses.length > 0 &&
    !hasAnswer(transcript, each) &&
    !wentToSubAgent(transcript, each);
  return {
    bring: settled.filter((each) => (isUndelivered(each) ? !isKnown(each) : isLost(each))),
    known: settled.filter((each) => isUndelivered(each) && isKnown(each)),
  };
}

/**
 * True if a sub-agent has the answer, which this transcript does not show; false if the call that started the sub-agent
 * was aborted.
 */
function wentToSubAgent({ calls, results, hasSubAgents }: Transcript, { resume }: Notification): boolean {
  const subAgent = resume?.subAgent;
  if (subAgent === undefined || hasSubAgents) return false;
  const result = results.get(subAgent);
  return result ? !result.isError : !calls.has(subAgent);
}

/** True if the session can be resumed with this answer in it: as the result of the call that asked, or as text. */
export function hasAnswer(
  { results, messages }: Transcript,
  settled: Notification,
  callId = settled.resume?.toolCallId ?? '',
): boolean {
  // The text as it was first sent, before it became a correction.
  const words = restated([{ ...settled, deliveredAt: undefined }]).trim();
  if (messages.some((text) => text.includes(words))) return true;
  const result = results.get(callId);
  // The call has the answer from before the amendment.
  if (!result || isCorrection(settled)) return false;
  // An aborted call has the agent's own error instead of the answer.
  return !result.isError || refusalWords(settled).every((each) => result.text.includes(each));
}

/** True if the session can be resumed with this message in it. */
export const hasMessage = ({ messages }: Transcript, message: ChatMessage) =>
  messages.some((text) => text.includes(messageText(message)));

/** What a call without an answer gets instead. */
function refusalWords(settled: Notification): string[] {
  if (settled.responses.length > 0) return settled.responses.map((each: Response) => responseAsText(each));
  return [settled.outcome === 'skipped' ? SKIPPED : noAnswerText(settled)];
}

export const isUndelivered = ({ status }: Notification) => status !== 'delivered' && status !== 'recorded';

/** The agent has an answer that a person has since amended, and does not know the new one yet. */
export const isCorrection = ({ status, deliveredAt }: Notification) =>
  deliveredAt !== undefined && status !== 'delivered';

/** A longer line holds a file or an image, never one of our answers. */
const MAX_LINE_LENGTH = 8 * 1024 * 1024;
const MAX_RESULT_LENGTH = 64 * 1024;

/** Splits a transcript, which arrives in pieces, into lines. */
export function transcriptLines(onLine: (line: string) => void): LineSplitter {
  return new LineSplitter(
    (bytes, start, end) => onLine(bytes.toString('utf8', start, end)),
    () => undefined,
    MAX_LINE_LENGTH,
  );
}

/** The object on a line; undefined if the line is incomplete or not an object. */
export function entryOf(line: string): JsonRecord | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The result of a tool call, limited to the part that we compare. */
export const toolResult = (isError: boolean, text: string) => ({
  isError,
  text: text.slice(0, MAX_RESULT_LENGTH),
});

const CHUNK = 256 * 1024;
/** More than any session has; we do not read beyond it. */
const MAX_BYTES = 512 * 1024 * 1024;

/** A file that an agent program appends to. A piece is valid only during the call of `push`. */
export class GrowingFile {
  readonly #path: string;
  readonly #push: (chunk: Buffer) => void;
  #offset = 0;
  /** The previous read, because two at once would read the same bytes twice. */
  #reading: Promise<void> = Promise.resolve();

  constructor(path: string, push: (chunk: Buffer) => void) {
    this.#path = path;
    this.#push = push;
  }

  /** Reads what was written since the last call. */
  readAppended(): Promise<void> {
    this.#reading = this.#reading.then(async () => {
      this.#offset = await readGrowth(this.#path, this.#offset, this.#push);
    });
    return this.#reading;
  }
}

/** Resolves to the position it has read up to. */
async function readGrowth(path: string, from: number, push: (chunk: Buffer) => void): Promise<number> {
  let readTo = from;
  // Refuses a link or a pipe that somebody has put in its place.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(() => undefined);
  if (!file) return readTo;
  try {
    if (!(await file.stat()).isFile()) return readTo;
    const chunk = Buffer.alloc(CHUNK);
    while (readTo < MAX_BYTES) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK, readTo);
      if (bytesRead === 0) break;
      readTo += bytesRead;
      push(chunk.subarray(0, bytesRead));
    }
  } catch {
    // It cannot be read now; the next read continues here.
  } finally {
    await file.close().catch(() => undefined);
  }
  return readTo;
}

/** Whether an existing file is really in a folder: a link in the folder may point anywhere. */
export async function isKeptIn(folder: string, path: string): Promise<boolean> {
  try {
    return (await realpath(path)).startsWith(`${await realpath(folder)}${sep}`);
  } catch {
    return false; // it does not exist
  }
}
