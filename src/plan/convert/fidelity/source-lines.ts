import { readMarkdown } from '../../grammar/markdown.ts';

/** A line of a source, with its context. */
export interface SourceLine {
  /** Without web addresses. */
  text: string;
  line: number;
  /** The headings above it, outermost first. */
  headings: string[];
  /** `fence`: code, HTML or a comment; `heading`; else `prose`, tables included. */
  kind: 'prose' | 'fence' | 'heading';
}

/** Nobody writes longer lines, and finding facts in one takes quadratic time. */
const MAX_LENGTH = 1000;

/** What these sections say is not part of the work, or is in the past. */
const aside =
  /\b(?:out of scope|non-?goals?|not in scope|alternatives?|rejected|references?|links|further reading|change ?log|appendix|glossary)\b/i;

/** The lines of a source that say what is to be done. */
export function sourceLines(source: string): SourceLine[] {
  const { lines, blocks, code, frontMatter } = readMarkdown(source);
  const fenced = new Set(frontMatter);
  for (const [from, to] of code) for (let line = from; line <= to; line++) fenced.add(line);
  const levels = new Map(blocks.flatMap((each) => (each.kind === 'heading' ? [[each.line, each]] : [])));
  const path: { level: number; text: string }[] = [];
  const found: SourceLine[] = [];
  lines.forEach((raw, index) => {
    const line = index + 1;
    const heading = levels.get(line);
    if (heading) {
      while ((path.at(-1)?.level ?? 0) >= heading.level) path.pop();
      path.push(heading);
    }
    const headings = path.map(({ text }) => text);
    if (headings.some((text) => aside.test(text))) return;
    const kind = heading ? 'heading' : fenced.has(line) ? 'fence' : 'prose';
    found.push({ text: withoutAddresses(raw.slice(0, MAX_LENGTH)), line, headings, kind });
  });
  return found;
}

const withoutAddresses = (text: string) => text.replace(/\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s<>()"'`]+/gi, ' ');
