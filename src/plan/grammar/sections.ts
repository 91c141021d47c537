import { positions } from '../../text/lines.ts';
import type { Block, Document, Text } from '../../text/markdown.ts';
import type { SectionKind, TextSpan } from './plan.ts';

export type TextBlock = Extract<Block, { kind: 'paragraph' | 'item' }>;

/** A document by its sections. */
export interface Sections {
  title: { text: string; span: TextSpan } | undefined;
  /** What precedes the first second-level heading. */
  preamble: Block[];
  /** The blocks of a section with those of its groups; for all sections of that name together. */
  of(kind: SectionKind): Block[];
  /** The position of each section's heading. */
  headings: Partial<Record<SectionKind, TextSpan>>;
  /** Paragraphs and items with the section they are in. */
  texts: { block: TextBlock; section: SectionKind | undefined }[];
}

const kinds: Record<SectionKind, RegExp> = {
  phases: /^phases?\b(?! \d)/,
  process: /^process wrapper\b/,
  gates: /^(?:(?:quality|validation) )?gates\b/,
  tasks: /^(?:implementation )?tasks\b/,
  dependencies: /^(?:dependenc(?:ies|y)|depends on)\b/,
  criteria: /^acceptance criteria\b/,
  agents: /^(?:sub)?agents\b/,
  notes: /^notes\b/,
};

/** Finds sections of these kinds. Groups inside a section stay in it, whatever their name. */
export function readSections(document: Document, wanted: readonly SectionKind[]): Sections {
  const found = new Map<SectionKind, Block[]>();
  const sections: Sections = {
    title: undefined,
    preamble: [],
    of: (kind) => found.get(kind) ?? [],
    headings: {},
    texts: [],
  };
  let current: { kind: SectionKind; level: number } | undefined;
  let preamble = true;
  for (const block of document.blocks) {
    if (block.kind === 'heading') {
      const isTitle = block.level === 1 && !sections.title;
      if (isTitle) sections.title = { text: block.text, span: lineStart(document.lines, block.line) };
      else preamble = false;
      if (current && block.level <= current.level) current = undefined;
      const isGroup = current !== undefined && block.level > 2;
      const kind = isTitle || isGroup ? undefined : kindOf(block.text, wanted);
      if (kind) {
        current = { kind, level: block.level };
        sections.headings[kind] ??= lineStart(document.lines, block.line);
        continue;
      }
    } else if (block.kind === 'paragraph' || block.kind === 'item')
      sections.texts.push({ block, section: current?.kind });
    if (preamble) sections.preamble.push(block);
    if (!current) continue;
    const blocks = found.get(current.kind);
    if (blocks) blocks.push(block);
    else found.set(current.kind, [block]);
  }
  return sections;
}

function kindOf(heading: string, wanted: readonly SectionKind[]): SectionKind | undefined {
  const words = heading
    .slice(0, 100)
    .replace(/^[^\p{L}]+/u, '')
    .replace(/[*_`]/g, '')
    .toLowerCase();
  return wanted.find((kind) => kinds[kind].test(words));
}

/** The text that belongs to it: a line that is not indented below an item only looks like part of it. */
export function ownText({ lines }: Document, { text, line, end, depth }: Text): string {
  if (line >= end || depth === 0) return text;
  const own = lines.slice(line, end).findIndex((each) => !/^[ \t>]/.test(each));
  return own < 0 ? text : text.split('\n', own + 1).join('\n');
}

/** A whole line, without the blanks around it. */
export function lineStart(lines: string[], line: number): TextSpan {
  const text = lines[line - 1] ?? '';
  const start = text.trimStart();
  return { line, column: text.length - start.length + 1, length: Math.max(1, start.trimEnd().length) };
}

/** The position of a text in a line, or in one of the following lines; else the line itself. */
export function spanOf(lines: string[], line: number, text: string, end = line): TextSpan {
  for (let at = line; text !== '' && at <= end; at++) {
    const index = lines[at - 1]?.indexOf(text) ?? -1;
    if (index >= 0) return { line: at, column: index + 1, length: text.length };
  }
  return lineStart(lines, line);
}

/** Turns offsets in a block's text into positions in the document. */
export function spansIn(
  lines: string[],
  { text, line: first }: Text,
): (at: number, length: number) => TextSpan {
  const position = positions(text);
  const own = text.split('\n');
  // The block's text has no indentation and no bullet.
  const indents = own.map((written, index) => lines[first + index - 1]?.indexOf(written) ?? -1);
  return (at, length) => {
    const { line, column } = position(at);
    const indent = indents[line - 1] ?? -1;
    if (indent < 0) return lineStart(lines, first + line - 1);
    const rest = (own[line - 1]?.length ?? 0) - column + 1;
    return { line: first + line - 1, column: indent + column, length: Math.min(length, rest) };
  };
}
