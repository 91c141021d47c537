import { counted } from './counted.ts';
import type { Verbatim } from './question.ts';
import { drawn, visible } from './visible.ts';

/** What could be mistaken for a drawn sign or a plain space, and the carriage return. */
const mistakable = /[\u2400-\u2426]|⟨(?=U\+)|(?! )\p{Zs}/gu;

/**
 * The lines of a text as shown to a person who approves it. Every difference between two texts is visible:
 * characters that look like drawn signs, unusual spaces and spaces at the end of a line are drawn too.
 */
export function verbatimLines(text: string): string[] {
  const exact = text.replace(mistakable, drawn).replaceAll('\r', '␍');
  return visible(exact).split('\n').map(withTrailingBlanks);
}

/** The same for a diff: the space before an unchanged line is a mark, not a space at the end of an empty line. */
export function diffLines(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line) => (line.startsWith(' ') ? [` ${verbatimLines(line.slice(1))}`] : verbatimLines(line)));
}

/** "Command (2 lines, 40 characters)": how much there is, so that nobody mistakes a part for the whole. */
export function verbatimCaption({ label, text, redactedFrom }: Verbatim): string {
  const lines = text.split('\n').length;
  const size = text === '' ? 'empty' : `${counted(lines, 'line')}, ${counted(text.length, 'character')}`;
  const secrets =
    redactedFrom === undefined
      ? ''
      : `; secrets are replaced by [redacted], the original has ${counted(redactedFrom, 'character')}`;
  return `${oneLine(label)} (${size}${secrets})`;
}

/** A piece as plain text: its caption, then its lines with a bar before each, so that no line looks like ours. */
export function verbatimText(piece: Verbatim): string {
  return [verbatimCaption(piece), ...verbatimLines(piece.text).map((line) => `│ ${line}`)].join('\n');
}

function withTrailingBlanks(line: string): string {
  const inked = line.trimEnd();
  if (inked.length === line.length) return line;
  return inked + line.slice(inked.length).replaceAll(' ', '␠').replaceAll('\t', '␉');
}

const oneLine = (text: string) => verbatimLines(text).join('␊');
