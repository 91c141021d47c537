import { posix } from 'node:path';
import { plainText, readMarkdown } from '../text/markdown.ts';

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

/** A part of a document under one heading, short enough to read at once. */
export interface Passage {
  /** The title of the document. */
  title: string;
  /** From the outermost heading inward: `Install › Linux`; the title if there is none. */
  heading: string;
  /** Lines start at 1. */
  first: number;
  last: number;
  text: string;
}

interface Heading {
  level: number;
  text: string;
  /** Its first line and the first one after it, from 0. */
  start: number;
  end: number;
}

/** A longer line is a paragraph. */
const MAX_LENGTH = 300;

/** The headings of a document, in order, without those in code blocks. */
export function findHeadings(lines: readonly string[], kind: DocumentKind): Heading[] {
  return headingsOf(lines, kind).filter(({ text }) => text !== '' && text.length <= MAX_LENGTH);
}

function headingsOf(lines: readonly string[], kind: DocumentKind): Heading[] {
  switch (kind) {
    case 'markdown':
      return markdownHeadings(lines);
    case 'underlined':
      return underlinedHeadings(lines);
    case 'asciidoc':
      return asciidocHeadings(lines);
  }
}

function markdownHeadings(lines: readonly string[]): Heading[] {
  return readMarkdown(lines.join('\n')).blocks.flatMap((block) => {
    if (block.kind !== 'heading' || block.text.includes('\n')) return [];
    const start = block.line - 1;
    const isUnderlined = !/^ {0,3}#/.test(lines[start] ?? '');
    return [{ level: block.level, text: plainText(block.text), start, end: start + (isUnderlined ? 2 : 1) }];
  });
}

/** A line of punctuation under a text, as in reStructuredText; the first kind in the document is the outermost. */
function underlinedHeadings(lines: readonly string[]): Heading[] {
  const found: Heading[] = [];
  const styles: string[] = [];
  lines.forEach((line, at) => {
    const text = lines[at - 1] ?? '';
    const sign = /^([=\-`:'"~^_*+#<>])\1{2,}\s*$/.exec(line)?.[1];
    if (!sign || !/^\s*[\p{L}\p{N}(`"'[]/u.test(text) || line.trimEnd().length < text.trim().length) return;
    const over = (lines[at - 2] ?? '').trimEnd() === line.trimEnd();
    if (!over && (lines[at - 2] ?? '').trim() !== '') return;
    const style = `${over}${sign}`;
    if (!styles.includes(style)) styles.push(style);
    found.push({
      level: styles.indexOf(style) + 1,
      text: text.trim(),
      start: over ? at - 2 : at - 1,
      end: at + 1,
    });
  });
  return found;
}

function asciidocHeadings(lines: readonly string[]): Heading[] {
  const found: Heading[] = [];
  let block: string | undefined;
  lines.forEach((line, at) => {
    const mark = /^(-{4,}|\.{4,}|={4,}|_{4,})\s*$/.exec(line)?.[1];
    if (mark) block = block === undefined ? mark : block === mark ? undefined : block;
    const [, signs, text] = /^(={1,6})[ \t]+(?![ \t])(.+)$/.exec(line) ?? [];
    if (block === undefined && signs && text)
      found.push({ level: signs.length, text: text.trim(), start: at, end: at + 1 });
  });
  return found;
}

/** How headings are written in a document. */
type DocumentKind = 'markdown' | 'underlined' | 'asciidoc';

const kinds: Record<string, DocumentKind> = {
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.mdx': 'markdown',
  '.rst': 'underlined',
  '.txt': 'underlined',
  '.text': 'underlined',
  '.adoc': 'asciidoc',
  '.asciidoc': 'asciidoc',
};

/** Undefined if it is not a document. Paths have forward slashes. */
export function documentKind(path: string): DocumentKind | undefined {
  const extension = posix.extname(path).toLowerCase();
  if (extension === '' && /^(readme|changelog|contributing|todo|notes)$/i.test(posix.basename(path))) {
    return 'underlined';
  }
  return kinds[extension];
}
