import { type Document, readMarkdown } from '../grammar/markdown.ts';

export interface ProgressProblem {
  line: number;
  message: string;
  suggestion: string;
}

/** A list item that begins with a bracket: what precedes the bracket, and what follows it. */
const bracketed = /^\s*(?:[-*+]|\d{1,9}[.)])(\s*)\[(.*)$/;
const good = /^[ xX]\](?:\s|$)/;
/** At most one character in the brackets, or an unclosed box; a link is neither. */
const meant = /^\s*[^\s\]]?\s*\](?!\()|^[ xX]?\s[^\]]*$/u;

/** The items that look like a check box but cannot be read as one. */
export function brokenBoxes(document: Document, from: number, to: number): ProgressProblem[] {
  const isCode = codeIn(document);
  return document.lines.slice(from - 1, to).flatMap((text, index) => {
    const line = from + index;
    const [, space, rest] = bracketed.exec(text) ?? [];
    if (rest === undefined || isCode(line)) return [];
    const isBroken =
      space === '' ? good.test(rest) || meant.test(rest) : !good.test(rest) && meant.test(rest);
    if (!isBroken) return [];
    const shown = text.trim().slice(0, 80);
    const suggestion = 'Write "- [ ] " for an open task and "- [x] " for one that is done.';
    return [{ line, message: `"${shown}" is not a check box.`, suggestion }];
  });
}

const box = /^(\s*(?:[-*+]|\d{1,9}[.)])\s+\[)([ xX])(\](?:\s.*)?)$/;

/** Whether each check box in these lines is ticked. Ignores code. */
export function boxesIn(lines: readonly string[]): boolean[] {
  const isCode = codeIn(readMarkdown(lines.join('\n')));
  return lines.flatMap((line, index) => {
    const mark = isCode(index + 1) ? undefined : box.exec(line)?.[2];
    return mark === undefined ? [] : [mark !== ' '];
  });
}

/** The same lines with every open box ticked. */
export function ticked(lines: readonly string[]): string[] {
  const isCode = codeIn(readMarkdown(lines.join('\n')));
  return lines.map((line, index) =>
    isCode(index + 1)
      ? line
      : line.replace(box, (all, before, mark, after) => (mark === ' ' ? `${before}x${after}` : all)),
  );
}

const codeIn =
  ({ code }: Document) =>
  (line: number) =>
    code.some(([first, last]) => line >= first && line <= last);
