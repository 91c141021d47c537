import type { TextFile } from './plan.ts';

/** A change in one place of a file; everything else stays unchanged, byte for byte. */
export interface TextEdit {
  path: string;
  line: number;
  column: number;
  /** How much is removed there; never a line break. */
  length: number;
  text: string;
}

/** Applies the changes to the text. A line break in a new text becomes the file's own kind of line break. */
export function applyEdits(file: TextFile, edits: readonly TextEdit[]): string {
  const ours = edits.filter(({ path }) => path === file.path);
  if (ours.length === 0) return file.text;
  const starts = lineStarts(file.text);
  const lineEnd = /\r\n|\r|\n/.exec(file.text)?.[0] ?? '\n';
  const changes = ours
    .map(({ line, column, length, text }) => ({
      at: (starts[line - 1] ?? file.text.length) + column - 1,
      length,
      text: text.replaceAll('\n', lineEnd),
    }))
    .sort((a, b) => a.at - b.at);
  let result = '';
  let from = 0;
  for (const { at, length, text } of changes) {
    result += file.text.slice(from, at) + text;
    from = at + length;
  }
  return result + file.text.slice(from);
}

/** Where each line begins; the first one after a byte order mark. */
function lineStarts(text: string): number[] {
  const starts = [text.charCodeAt(0) === 0xfeff ? 1 : 0];
  for (const match of text.matchAll(/\r\n|\r|\n/g)) starts.push(match.index + match[0].length);
  return starts;
}
