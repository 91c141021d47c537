import type { Verbatim } from '../schema/question.ts';
import { diffLines, verbatimCaption, verbatimLines } from '../schema/verbatim.ts';

const BAR = '│ ';
/** Marks the rest of a line that is wider than the terminal, so that it does not look like a line of Fermata. */
const CONTINUATION = '┊ ';
const TAB = 8;

export interface BlockSize {
  columns: number | undefined;
  /** Its lines begin with the marks of a diff. */
  isDiff?: boolean;
  /** The most rows; `whole` says where the full text is. */
  most?: { rows: number; whole: string };
}

/** What a person approves, line by line, for a terminal. */
export function verbatimBlock(piece: Verbatim, { columns = 120, isDiff, most }: BlockSize): string[] {
  const lines = isDiff ? diffLines(piece.text) : verbatimLines(piece.text);
  const rows = lines.flatMap((line) => rowsOf(line, Math.max(20, columns)));
  const caption = `${verbatimCaption(piece)}:`;
  if (!most || rows.length <= most.rows) return [caption, ...rows];
  const left = rows.length - most.rows;
  return [caption, ...rows.slice(0, most.rows), `INCOMPLETE: ${left} more rows. ${most.whole}`];
}

function rowsOf(line: string, columns: number): string[] {
  const rows: string[] = [];
  let row = BAR;
  let at = row.length;
  for (const character of line) {
    const next = character === '\t' ? (Math.floor(at / TAB) + 1) * TAB : at + columnsAtMost(character);
    if (next < columns) {
      row += character;
      at = next;
      continue;
    }
    rows.push(row);
    row = CONTINUATION + character;
    at = CONTINUATION.length + columnsAtMost(character);
  }
  return [...rows, row];
}

/** Terminals disagree on many characters; a row that is too short does no harm. */
const columnsAtMost = (character: string) => ((character.codePointAt(0) ?? 0) < 0x1100 ? 1 : 2);
