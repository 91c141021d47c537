import { width } from '../channels/wrap.ts';
import { visible } from '../schema/visible.ts';

export interface Column<Row> {
  heading: string;
  cell(row: Row): string | number | null;
  /** Shrinks if the terminal is too narrow. */
  flexible?: true;
}

/** Rows as aligned lines, numbers to the right. Later pages of a table reuse the widths of earlier ones. */
export function tablePrinter<Row>(columns: Column<Row>[], terminalWidth = process.stdout.columns) {
  const widths = columns.map((column) => width(column.heading));
  let headed = false;

  const line = (cells: Cell[]) =>
    cells
      .map(({ text, right }, index) => padded(text, right, widths[index] ?? 0))
      .join('  ')
      .trimEnd();

  return function lines(rows: Row[]): string[] {
    const cells = rows.map((row) => columns.map((column) => toCell(column.cell(row))));
    for (const row of cells) {
      row.forEach(({ text }, index) => {
        widths[index] = Math.max(widths[index] ?? 0, width(text));
      });
    }
    shrink(columns, widths, terminalWidth);
    const numeric = columns.map((_, index) => cells.length > 0 && cells.every((row) => row[index]?.right));
    const headings = columns.map(({ heading }, index) => ({ text: heading, right: numeric[index] ?? false }));
    const head = headed || rows.length === 0 ? [] : [line(headings)];
    headed ||= head.length > 0;
    return [...head, ...cells.map(line)];
  };
}

/** Text on one line, without anything that controls a terminal. */
export function oneLine(text: string): string {
  return visible(text).replace(/\s+/g, ' ').trim();
}

/** At most `columns` wide, with `…` for what is left out. */
export function cut(text: string, columns: number): string {
  if (width(text) <= columns) return text;
  let kept = '';
  let room = columns - 1;
  for (const character of text) {
    room -= width(character);
    if (room < 0) break;
    kept += character;
  }
  return `${kept}…`;
}

interface Cell {
  text: string;
  right: boolean;
}

function toCell(value: string | number | null): Cell {
  return typeof value === 'number'
    ? { text: String(value), right: true }
    : { text: oneLine(value ?? ''), right: false };
}

function padded(text: string, right: boolean, columns: number): string {
  const shown = cut(text, columns);
  const space = ' '.repeat(columns - width(shown));
  return right ? space + shown : shown + space;
}

function shrink(columns: Column<never>[], widths: number[], terminalWidth: number | undefined): void {
  if (!terminalWidth) return;
  const flexible = columns.flatMap((column, index) => (column.flexible ? [index] : []));
  let excess = widths.reduce((sum, each) => sum + each + 2, -2) - terminalWidth;
  while (excess > 0) {
    const widest = flexible.reduce(
      (a, b) => ((widths[b] ?? 0) > (widths[a] ?? 0) ? b : a),
      flexible[0] ?? -1,
    );
    const now = widths[widest] ?? 0;
    if (now <= 12) return;
    widths[widest] = now - 1;
    excess -= 1;
  }
}
