import { counted } from './counted.ts';
import type { Verbatim } from './question.ts';
import { drawn, visible } from './visible.ts';

/** What would pass for a drawn sign or for a plain blank, and a return of the carriage. */
const mistakable = /[\u2400-\u2426]|⟨(?=U\+)|(?! )\p{Zs}/gu;

/**
 * The lines of a text as they are shown to somebody who approves it. Every difference between two texts can be seen:
 * signs that look like drawn ones, blanks of other kinds and blanks at the end of a line are drawn too.
 */
export function verbatimLines(text: string): string[] {
  const exact = text.replace(mistakable, drawn).replaceAll('\r', '␍');
  return visible(exact).split('\n').map(withTrailingBlanks);
}

/** The same for a diff: the blank before a line that stays is a mark, not a blank at the end of an empty line. */
export function diffLines(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line) => (line.startsWith(' ') ? [` ${verbatimLines(line.slice(1))}`] : verbatimLines(line)));
}

/** "Command (2 lines, 40 characters)": how much there is, so that nobody takes a part for the whole. */
export function verbatimCaption({ label, text, redactedFrom }: Verbatim): string {
  const lines = text.split('\n').length;
  const size = text === '' ? 'empty' : `${counted(lines, 'line')}, ${counted(text.length, 'character')}`;
  const secrets =
    redactedFrom === undefined
      ? ''
      : `; secrets are replaced by [redacted], the original has ${counted(redactedFrom, 'character')}`;
  return `${oneLine(label)} (${size}${secrets})`;
}

/** For everything that has no blocks: under its caption, with a bar before each line, so that no line passes for ours. */
export function verbatimText(piece: Verbatim): string {
  return [verbatimCaption(piece), ...verbatimLines(piece.text).map((line) => `│ ${line}`)].join('\n');
}

function withTrailingBlanks(line: string): string {
  const inked = line.trimEnd();
  if (inked.length === line.length) return line;
  return inked + line.slice(inked.length).replaceAll(' ', '␠').replaceAll('\t', '␉');
}

const oneLine = (text: string) => verbatimLines(text).join('␊');
