import { slug } from '../plan-folder.ts';

/** A part of a PRD: a second-level heading, and everything up to the next one. */
export interface Section {
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
    return [before, '', `## ${titleOf(wanted)}`, '', ...body, ''].join(end);
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

const titleOf = (wanted: string) => wanted.replace(/\s+/g, ' ').trim();

/** Content of a section cannot start another one, and does not repeat its heading. */
function below(content: string, wanted: string): string {
  const lines = linesOf(content.trim());
  const first = titleIn(lines[0] ?? '', /^#{1,6}\s+(\S.*)$/);
  const own = first !== undefined && slug(first) === slug(wanted) ? lines.slice(1) : lines;
  const headings = new Set(headingsIn(own, /^#{1,2}\s+(\S.*)$/).map(({ line }) => line));
  return own
    .map((line, index) => (headings.has(index) ? line.replace(/^#{1,2}/, '###') : line))
    .join('\n')
    .trim();
}

function headingsIn(lines: string[], pattern = /^##\s+(\S.*)$/): { line: number; title: string }[] {
  const found: { line: number; title: string }[] = [];
  let fence: string | undefined;
  for (const [line, text] of lines.entries()) {
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(text) ?? [];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && text.trim() === mark) fence = undefined;
      continue;
    }
    fence = mark;
    const title = titleIn(text, pattern);
    if (title) found.push({ line, title });
  }
  return found;
}

/** The title of a heading, without closing `#` characters. */
function titleIn(line: string, pattern: RegExp): string | undefined {
  return pattern.exec(line.trimEnd())?.[1]?.replace(/(?<!\s)\s+#+$/, '');
}
