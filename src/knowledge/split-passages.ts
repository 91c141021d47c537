import { posix } from 'node:path';
import type { DocumentKind } from './document-kind.ts';
import { findHeadings, type Heading } from './headings.ts';
import type { Passage } from './passage.ts';

/** A passage longer than the first limit ends at the next empty line, and at the second limit in any case. */
const ENOUGH = 900;
const MAX = 1800;

/** Splits a document at its headings, and long sections at empty lines. */
export function splitPassages(text: string, path: string, kind: DocumentKind): Passage[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const headings = findHeadings(lines, kind);
  const title = titleOf(headings, path);
  const sections = [{ start: 0, end: 0, level: 0, text: '' }, ...headings];
  const trail: Heading[] = [];
  return sections.flatMap((section, index) => {
    while ((trail.at(-1)?.level ?? -1) >= section.level) trail.pop();
    trail.push(section);
    const names = trail
      .map((heading) => heading.text)
      .filter((name, depth) => name && (depth > 1 || name !== title));
    const heading = names.join(' › ') || title;
    const next = sections[index + 1];
    const found = pieces(lines, section.end, next?.start ?? lines.length);
    if (found.length === 0 && section.text && (next?.level ?? 0) <= section.level) {
      // The section is empty, so only its heading can be found.
      found.push({ first: section.start + 1, last: section.end, text: section.text });
    }
    return found.map((piece) => ({ title, heading, ...piece }));
  });
}

function titleOf(headings: Heading[], path: string): string {
  const [first] = headings;
  if (first && headings.every(({ level }) => level >= first.level)) return first.text;
  return posix.basename(path, posix.extname(path)).replace(/[-_]+/g, ' ');
}

type Piece = Pick<Passage, 'first' | 'last' | 'text'>;

function pieces(lines: readonly string[], start: number, end: number): Piece[] {
  const found: Piece[] = [];
  let from = start;
  let size = 0;
  for (let at = start; at < end; at++) {
    const line = lines[at] ?? '';
    size += line.length + 1;
    const enough = line.trim() === '' ? size >= ENOUGH : size >= MAX;
    if (!enough && at + 1 < end) continue;
    found.push(...cut(lines, from, at + 1));
    from = at + 1;
    size = 0;
  }
  return found;
}

/** Cuts a piece without the empty lines around it, or several pieces if a single line is very long. */
function cut(lines: readonly string[], from: number, to: number): Piece[] {
  let [first, last] = [from, to - 1];
  while (first <= last && (lines[first] ?? '').trim() === '') first++;
  while (last >= first && (lines[last] ?? '').trim() === '') last--;
  if (first > last) return [];
  const text = lines.slice(first, last + 1).join('\n');
  const parts = Math.ceil(text.length / (2 * MAX));
  return Array.from({ length: parts }, (_, part) => ({
    first: first + 1,
    last: last + 1,
    text: text.slice(part * 2 * MAX, (part + 1) * 2 * MAX),
  }));
}
