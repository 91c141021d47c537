import { LineSplitter } from '../../channels/line-splitter.ts';
import { isRecord, type JsonRecord } from '../../ledger/forms/record.ts';

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
