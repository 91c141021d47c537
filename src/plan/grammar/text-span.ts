import { positions } from '../../files/positions.ts';
import type { Text } from './markdown.ts';
import type { TextSpan } from './plan.ts';

/** A whole line, without the blanks around it. */
export function lineStart(lines: string[], line: number): TextSpan {
  const text = lines[line - 1] ?? '';
  const start = text.trimStart();
  return { line, column: text.length - start.length + 1, length: Math.max(1, start.trimEnd().length) };
}

/** The position of a text in a line, or in one of the following lines; else the line itself. */
export function spanOf(lines: string[], line: number, text: string, end = line): TextSpan {
  for (let at = line; text !== '' && at <= end; at++) {
    const index = lines[at - 1]?.indexOf(text) ?? -1;
    if (index >= 0) return { line: at, column: index + 1, length: text.length };
  }
  return lineStart(lines, line);
}

/** Turns offsets in a block's text into positions in the document. */
export function spansIn(
  lines: string[],
  { text, line: first }: Text,
): (at: number, length: number) => TextSpan {
  const position = positions(text);
  const own = text.split('\n');
  // The block's text has no indentation and no bullet.
  const indents = own.map((written, index) => lines[first + index - 1]?.indexOf(written) ?? -1);
  return (at, length) => {
    const { line, column } = position(at);
    const indent = indents[line - 1] ?? -1;
    if (indent < 0) return lineStart(lines, first + line - 1);
    const rest = (own[line - 1]?.length ?? 0) - column + 1;
    return { line: first + line - 1, column: indent + column, length: Math.min(length, rest) };
  };
}
