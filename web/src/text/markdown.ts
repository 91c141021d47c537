/** The small part of Markdown that is rendered in agents' texts. Everything else stays plain text. */
export type Block =
  | { kind: 'paragraph'; inline: Inline[] }
  | { kind: 'heading'; inline: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'list'; ordered: boolean; items: Inline[][] }
  | { kind: 'table'; align: Align[]; head: Inline[][]; rows: Inline[][][] };

/** The alignment of a table's column. */
export type Align = 'start' | 'center' | 'end';

export interface Inline {
  kind: 'text' | 'code' | 'strong' | 'emphasis';
  text: string;
}

const ITEM = /^\s{0,6}(?:[-*+]|(\d{1,4})[.)])\s+(?!\s)(.*)$/;
const HEADING = /^#{1,6}\s+(?!\s)(.*)$/;
const FENCE = /^\s{0,3}(`{3,}|~{3,})/;

export function parseMarkdown(text: string): Block[] {
  const blocks: Block[] = [];
  const lines = text.split(/\r\n|\n|\r/);
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const fence = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      let stop = at + 1;
      while (stop < lines.length && !lines[stop]?.trim().startsWith(fence)) stop += 1;
      blocks.push({ kind: 'code', text: lines.slice(at + 1, stop).join('\n') });
      at = stop + 1;
      continue;
    }
    at += 1;
    if (line.trim() === '') continue;
    const heading = HEADING.exec(line)?.[1];
    if (heading !== undefined) {
      blocks.push({ kind: 'heading', inline: parseInline(heading) });
      continue;
    }
    const start = at - 1;
    if (isTable(line, lines[at])) {
      while (at < lines.length && lines[at]?.includes('|')) at += 1;
      const [head = [], , ...rows] = lines.slice(start, at).map(cells);
      blocks.push({ kind: 'table', align: aligns(lines[start + 1] ?? ''), head, rows });
      continue;
    }
    const isList = ITEM.test(line);
    while (at < lines.length && belongs(lines[at] ?? '', isList) && !isTable(lines[at], lines[at + 1]))
      at += 1;
    const own = lines.slice(start, at);
    blocks.push(isList ? list(own) : { kind: 'paragraph', inline: parseInline(own.join('\n')) });
  }
  return blocks;
}

/** The text on one line, without markup. */
export function plainText(text: string): string {
  return parseMarkdown(text)
    .flatMap((block) => {
      if (block.kind === 'code') return block.text;
      return spansOf(block).map((spans) => spans.map((span) => span.text).join(''));
    })
    .join(' ')
    .replace(/\s+/g, ' ');
}

function spansOf(block: Exclude<Block, { kind: 'code' }>): Inline[][] {
  if (block.kind === 'list') return block.items;
  return block.kind === 'table' ? [block.head, ...block.rows].flat() : [block.inline];
}

const RULE = /^[\s|:-]*$/;

/** Whether a table begins here: below its head is a line of only dashes and bars. */
function isTable(line: string | undefined, next: string | undefined): boolean {
  if (!line?.includes('|') || !next?.includes('|')) return false;
  return next.includes('-') && RULE.test(next);
}

/** A colon in the rule marks the side that a column is aligned to. */
function aligns(rule: string): Align[] {
  return split(rule).map((cell) => {
    if (!cell.endsWith(':')) return 'start';
    return cell.startsWith(':') ? 'center' : 'end';
  });
}

const cells = (line: string): Inline[][] =>
  split(line).map((cell) => parseInline(cell.replaceAll('\\|', '|')));

/** The bars at both ends belong to no cell; an escaped bar is part of its cell. */
function split(line: string): string[] {
  const inner = line.trim().replace(/^\|/, '').replace(/\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim());
}

function belongs(line: string, toList: boolean): boolean {
  if (line.trim() === '' || FENCE.test(line) || HEADING.test(line)) return false;
  return toList || !ITEM.test(line);
}

/** A line that is not an item continues the one above. */
function list(lines: string[]): Block {
  const items: string[] = [];
  for (const line of lines) {
    const item = ITEM.exec(line);
    if (item) items.push(item[2] ?? '');
    else items.push(`${items.pop() ?? ''}\n${line.trim()}`);
  }
  return {
    kind: 'list',
    ordered: ITEM.exec(lines[0] ?? '')?.[1] !== undefined,
    items: items.map((item) => parseInline(item.replace(/^\[( |x|X)\] /, boxOf))),
  };
}

const boxOf = (mark: string): string => (mark === '[ ] ' ? '☐ ' : '☑ ');

/** A link into the same folder shows only its text; any other must show its target. */
const SPAN =
  /`([^`\n]+)`|\*\*([^*\n]+)\*\*|(?<![\w*])\*([^*\s][^*\n]*)\*(?![\w*])|\[([^[\]\n]+)\]\((?!\/\/)[\w./-]+\)/g;

function parseInline(text: string): Inline[] {
  const spans: Inline[] = [];
  let at = 0;
  for (const match of text.matchAll(SPAN)) {
    if (match.index > at) spans.push({ kind: 'text', text: text.slice(at, match.index) });
    const [whole, code, strong, emphasis, link] = match;
    if (code !== undefined) spans.push({ kind: 'code', text: code });
    else if (strong !== undefined) spans.push({ kind: 'strong', text: strong });
    else if (link !== undefined) spans.push({ kind: 'text', text: link });
    else spans.push({ kind: 'emphasis', text: emphasis ?? '' });
    at = match.index + whole.length;
  }
  if (at < text.length) spans.push({ kind: 'text', text: text.slice(at) });
  return spans;
}
