import type { Place } from './plan.ts';

/** A whole line, without the blanks around it. */
export function lineStart(lines: string[], line: number): Place {
  const text = lines[line - 1] ?? '';
  const start = text.trimStart();
  return { line, column: text.length - start.length + 1, length: Math.max(1, start.trimEnd().length) };
}

/** Where a piece of text stands in a line, or in one of those that follow it; else the line itself. */
export function placeOf(lines: string[], line: number, text: string, end = line): Place {
  for (let at = line; text !== '' && at <= end; at++) {
    const index = lines[at - 1]?.indexOf(text) ?? -1;
    if (index >= 0) return { line: at, column: index + 1, length: text.length };
  }
  return lineStart(lines, line);
}
