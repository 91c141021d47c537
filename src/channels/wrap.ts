/** The indentation of continuation rows: below the text of a numbered option, else below the start of the line. */
const start = /^ *(?:\d+[.)] )?/;
/** Rows with a bar already fit the terminal, or are code that must not change. */
const isBlock = /^ *[│┊]/;

/** Breaks lines between words, so that a terminal does not break inside one. A longer word stays whole. */
export function wrap(text: string, columns: number | undefined): string {
  if (columns === undefined || columns < 1) return text;
  return text
    .split('\n')
    .flatMap((line) => rowsOf(line, columns))
    .join('\n');
}

function rowsOf(line: string, columns: number): string[] {
  const plain = withoutColors(line);
  if (width(plain) <= columns || isBlock.test(plain)) return [line];
  const indent = ' '.repeat(Math.min(start.exec(plain)?.[0].length ?? 0, columns >> 1));
  const rows: string[] = [];
  let row = '';
  for (const piece of line.match(/ *[^ ]+ */g) ?? []) {
    if (row.trim() !== '' && columnsOf(row + piece.trimEnd()) > columns) {
      rows.push(row.trimEnd());
      row = indent + piece.trimStart();
    } else row += piece;
  }
  return [...rows, row.trimEnd()];
}

const columnsOf = (text: string) => width(withoutColors(text));

function withoutColors(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the only ones in text that was made visible
  return text.replace(/\x1b\[[\d;]*m/g, '');
}

/** Terminal columns: 2 for East Asian wide letters and emoji, 0 for combining characters. */
export function width(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let columns = 0;
  for (const character of text)
    columns += /^[\p{M}\u200d]$/u.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return columns;
}

const wide =
  /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]$/u;
