import { join } from 'node:path';
import { readBounded } from '../files/read-bounded.ts';
import { oneLine } from '../text/lines.ts';
import { readMarkdown } from '../text/markdown.ts';
import { slug } from './plan-folder.ts';

/** A part of a PRD: a second-level heading, and everything up to the next one. */
interface Section {
  key: string;
  title: string;
  content: string;
  /** Lines, from 0: its heading, and one past its last. */
  from: number;
  to: number;
}

/** The sections of a PRD, in order. Ignores headings inside code. */
export function sectionsOf(text: string): Section[] {
  const lines = linesOf(text);
  const headings = headingsIn(lines);
  return headings.map(({ line, title }, index) => {
    const to = headings[index + 1]?.line ?? lines.length;
    const content = lines
      .slice(line + 1, to)
      .join('\n')
      .trim();
    return { key: slug(title), title, content, from: line, to };
  });
}

/** The section with this key or title. */
export function findSection(text: string, wanted: string): Section | undefined {
  const sections = sectionsOf(text);
  return (
    sections.find(({ title }) => title === wanted.trim()) ?? sections.find(({ key }) => key === slug(wanted))
  );
}

/** The text with new content in one section, which is added at the end if it is missing. The rest stays unchanged. */
export function withSection(text: string, wanted: string, content: string): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const body = linesOf(below(content, wanted));
  const section = findSection(text, wanted);
  if (section === undefined) {
    const before = text.trim() === '' ? '# Product Requirements' : text.trimEnd();
    return [before, '', `## ${oneLine(wanted)}`, '', ...body, ''].join(end);
  }
  const lines = linesOf(text);
  const isLast = section.to === lines.length;
  return [
    ...lines.slice(0, section.from + 1),
    '',
    ...body,
    '',
    ...(isLast ? [] : lines.slice(section.to)),
  ].join(end);
}

const linesOf = (text: string) => text.split(/\r?\n/);

/** Content of a section cannot start another one, and does not repeat its heading. */
function below(content: string, wanted: string): string {
  const lines = linesOf(content.trim());
  const [first] = readMarkdown(lines[0] ?? '').blocks;
  const own = first?.kind === 'heading' && slug(first.text) === slug(wanted) ? lines.slice(1) : lines;
  const headings = new Set(headingsIn(own, 1).map(({ line }) => line));
  return own
    .map((line, index) => (headings.has(index) ? line.replace(/^ *#{1,2}/, '###') : line))
    .join('\n')
    .trim();
}

/** The headings of the first two levels, or only of the second. Ignores code. */
function headingsIn(lines: string[], first = 2): { line: number; title: string }[] {
  return readMarkdown(lines.join('\n').replaceAll('\r', ' ')).blocks.flatMap((block) =>
    block.kind === 'heading' &&
    block.level >= first &&
    block.level <= 2 &&
    /^ {0,3}#/.test(lines[block.line - 1] ?? '')
      ? [{ line: block.line - 1, title: block.text }]
      : [],
  );
}

const MAX_SIZE = 4 * 1024 * 1024;

export const prdPath = (root: string) => join(root, 'PRD.md');

/** Empty if the file does not exist. */
export const readPrd = (path: string) => readBounded(path, MAX_SIZE, 'Split it.') ?? '';
