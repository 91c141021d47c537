export interface Cell {
  /** Without surrounding blanks; `\|` is `|`. */
  text: string;
  /** Where its text begins in the line, and its length there. */
  start: number;
  length: number;
}

/** Splits a line of a table at its pipes, but not at escaped ones. Pipes at both ends are optional. */
export function splitRow(line: string): Cell[] {
  const cells: Cell[] = [];
  let from = 0;
  for (let at = line.indexOf('|'); ; at = line.indexOf('|', at + 1)) {
    if (at > 0 && line[at - 1] === '\\') continue;
    const to = at < 0 ? line.length : at;
    const raw = line.slice(from, to);
    const outer = raw.trim() === '' && (from === 0 || at < 0);
    if (!outer) cells.push(cell(raw, from));
    if (at < 0) return cells;
    from = at + 1;
  }
}

function cell(raw: string, from: number): Cell {
  const trimmed = raw.trim();
  const start = from + (trimmed === '' ? Math.min(1, raw.length) : raw.indexOf(trimmed));
  return { text: trimmed.replaceAll('\\|', '|'), start, length: trimmed.length };
}
