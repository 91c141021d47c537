import type { DocumentKind } from './document-kind.ts';

export interface Heading {
  level: number;
  text: string;
  /** Its first line and the first one after it, from 0. */
  start: number;
  end: number;
}

/** A longer line is a paragraph. */
const MAX_LENGTH = 300;
const MAX_WRITTEN_LENGTH = 2000;

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
  const found: Heading[] = [];
  let fence: string | undefined;
  for (let at = frontMatterEnd(lines); at < lines.length; at++) {
    const line = lines[at] ?? '';
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark) {
      if (fence === undefined) fence = mark;
      else if (mark.startsWith(fence) && line.trim() === mark) fence = undefined;
    }
    if (fence !== undefined) continue;
    const [, signs, text] = /^ {0,3}(#{1,6})[ \t]+(?![ \t])(.*)$/.exec(line) ?? [];
    if (signs && text) found.push({ level: signs.length, text: plain(text), start: at, end: at + 1 });
    const under = /^ {0,3}(=+|-{2,})[ \t]*$/.exec(line)?.[1];
    const above = lines[at - 1] ?? '';
    if (under && /^\s{0,3}[^\s>|#*+-]/.test(above) && (lines[at - 2] ?? '').trim() === '') {
      found.push({ level: under.startsWith('=') ? 1 : 2, text: plain(above), start: at - 1, end: at + 1 });
    }
  }
  return found;
}

/** Front matter, between two `---` at the top, is about the document, not part of it. */
function frontMatterEnd(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== '---') return 0;
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---');
  return end < 0 ? 0 : end + 1;
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

/** Without Markdown markup: `[Plans](plans.md)` is Plans. */
function plain(text: string): string {
  return text
    .slice(0, MAX_WRITTEN_LENGTH)
    .trimEnd()
    .replace(/(?<!\s)\s+#+$/, '')
    .replace(/!?\[([^\]]{0,300})\]\([^)]{0,300}\)/g, '$1')
    .replace(/[`*]/g, '')
    .trim();
}
