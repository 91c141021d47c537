import type { Token } from 'markdown-it';
import MarkdownIt from 'markdown-it';

/** A block of a Markdown text, in text order. Lines count from 1; `end` is its last line. */
export type Block =
  | { kind: 'heading'; level: number; text: string; line: number }
  | ({ kind: 'paragraph' } & Text)
  | ({ kind: 'item'; number: string | undefined } & Text)
  /** `language` is what a fence says after its mark; undefined for indented code. */
  | ({ kind: 'code'; language: string | undefined } & Text)
  /** The first line has the headings. */
  | { kind: 'table'; lines: number[] };

export interface Text {
  text: string;
  line: number;
  end: number;
  /** How many list items contain it; an item counts itself. */
  depth: number;
}

type References = Record<string, unknown>;

export interface Document {
  /** Without line breaks and byte order mark. */
  lines: string[];
  blocks: Block[];
  /** The lines between two `---` at the beginning. */
  frontMatter: number[];
  /** What `[text][name]` refers to. */
  references: References;
  /** The lines of code blocks: [first, last]. */
  code: [number, number][];
  /** The lines of blocks of HTML and comments. */
  html: [number, number][];
}

/**
 * Reads the structure of a text. Parses only blocks, which is a fourth of the work; inline content is parsed where it
 * matters (`plainText`, `firstLink`).
 */
export function readMarkdown(source: string): Document {
  const text = normalized(source);
  const lines = text.split('\n');
  const frontMatter = frontMatterOf(lines);
  const body = frontMatter.length === 0 ? text : withoutFirst(lines, frontMatter.length + 2);
  const tokens: Token[] = [];
  const env: References = {};
  parser.block.parse(body, parser, env, tokens);
  return { lines, frontMatter, references: env, ...toBlocks(tokens) };
}

/** The lines that a reader of the text does not read as text: code, HTML and comments. */
export function hiddenLines({ code, html }: Document): Set<number> {
  const lines = new Set<number>();
  for (const [from, to] of [...code, ...html]) for (let line = from; line <= to; line++) lines.add(line);
  return lines;
}

/** Normalizes like markdown-it before it parses, so that its line numbers match ours. */
function normalized(source: string): string {
  const text = source.charCodeAt(0) === 0xfeff ? source.slice(1) : source;
  return /[\r\0]/.test(text) ? text.replace(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD') : text;
}

const MAX_FRONT_MATTER = 500;
const yamlLine = /^(?:[\w-]+[ \t]*:(?:[ \t].*)?|[ \t]*-[ \t].*|[ \t]+\S.*|[ \t]*#.*|[ \t]*)$/;

function frontMatterOf(lines: string[]): number[] {
  if (lines[0]?.trimEnd() !== '---') return [];
  const found: number[] = [];
  for (let index = 1; index < Math.min(lines.length, MAX_FRONT_MATTER); index++) {
    const line = lines[index] ?? '';
    if (/^(?:---|\.\.\.)[ \t]*$/.test(line)) return found;
    if (!yamlLine.test(line)) return [];
    found.push(index + 1);
  }
  return [];
}

function withoutFirst(lines: string[], count: number): string {
  return '\n'.repeat(count) + lines.slice(count).join('\n');
}

function toBlocks(tokens: Token[]): Pick<Document, 'blocks' | 'code' | 'html'> {
  const blocks: Block[] = [];
  const code: [number, number][] = [];
  const html: [number, number][] = [];
  let depth = 0;
  /** An item whose first paragraph has not come yet. */
  let opened: Text | undefined;
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as Token;
    const [start = 0, stop = 0] = token.map ?? [];
    switch (token.type) {
      case 'heading_open':
        if (token.level === 0) blocks.push(heading(token, tokens[index + 1]));
        break;
      case 'list_item_open': {
        depth += 1;
        const number = token.info === '' ? undefined : token.info;
        const item = { kind: 'item' as const, number, text: '', line: start + 1, end: start + 1, depth };
        blocks.push(item);
        opened = item;
        continue;
      }
      case 'list_item_close':
        depth -= 1;
        break;
      case 'paragraph_open': {
        const text = tokens[index + 1]?.content ?? '';
        if (opened) {
          opened.text = text;
          opened.end = stop;
        } else blocks.push({ kind: 'paragraph', text, line: start + 1, end: stop, depth });
        break;
      }
      case 'table_open': {
        const lines: number[] = [];
        while (tokens[index]?.type !== 'table_close') {
          if (tokens[index]?.type === 'tr_open') lines.push((tokens[index]?.map?.[0] ?? 0) + 1);
          index += 1;
        }
        if (token.level === 0) blocks.push({ kind: 'table', lines });
        break;
      }
      case 'fence':
      case 'code_block':
        blocks.push({
          kind: 'code',
          language: token.type === 'fence' ? token.info.trim().toLowerCase() : undefined,
          text: token.content,
          line: start + 1,
          end: stop,
          depth,
        });
        code.push([start + 1, stop]);
        break;
      case 'html_block':
        html.push([start + 1, stop]);
    }
    opened = undefined;
  }
  return { blocks, code, html };
}

function heading(token: Token, inline: Token | undefined): Block {
  const level = Number(token.tag.slice(1));
  return { kind: 'heading', level, text: inline?.content ?? '', line: (token.map?.[0] ?? 0) + 1 };
}

interface Link {
  text: string;
  href: string;
  /** The text is nothing but the link. */
  isAll: boolean;
}

const plain = /^[^\\`*_[\]<>&!~]*$/;
const simpleLink = /^\[([^\\`*_[\]<>&!~]+)\]\(([^()\s<>\\&]+)\)$/;

/** A line's text without its Markdown: `**[A](a.md)**` is `A`. */
export function plainText(text: string, references: References = {}): string {
  if (plain.test(text)) return text.trim();
  return textOf(inline(text, references)).trim();
}

export function firstLink(text: string, references: References = {}): Link | undefined {
  const simple = simpleLink.exec(text);
  if (simple) return { text: (simple[1] ?? '').trim(), href: simple[2] ?? '', isAll: true };
  if (!text.includes('[') && !text.includes('<')) return undefined;
  const tokens = inline(text, references);
  const start = tokens.findIndex((token) => token.type === 'link_open');
  if (start < 0) return undefined;
  const end = tokens.findIndex((token, index) => index > start && token.type === 'link_close');
  return {
    text: textOf(tokens.slice(start, end)).trim(),
    href: String(tokens[start]?.attrGet('href') ?? ''),
    isAll: false,
  };
}

/** A title or a cell. A longer text is neither, and could take long to parse. */
const MAX_LENGTH = 2000;

function inline(text: string, references: References): Token[] {
  return parser.parseInline(text.slice(0, MAX_LENGTH), references)[0]?.children ?? [];
}

function textOf(tokens: Token[]): string {
  return tokens
    .map((token) => (token.type === 'softbreak' || token.type === 'hardbreak' ? ' ' : token.content))
    .join('');
}

export interface Cell {
  /** Without surrounding blanks; `\|` is `|`. */
  text: string;
  /** Where its text begins in the line, and its length there. */
  start: number;
  length: number;
}

/** Splits a line of a table at its pipes, but not at escaped ones. Pipes at both ends are optional. */
export function splitRow(line: string): Cell[] {
  const cells: Cell[] = [];
  let from = 0;
  for (let at = line.indexOf('|'); ; at = line.indexOf('|', at + 1)) {
    if (at > 0 && line[at - 1] === '\\') continue;
    const to = at < 0 ? line.length : at;
    const raw = line.slice(from, to);
    const outer = raw.trim() === '' && (from === 0 || at < 0);
    if (!outer) cells.push(cell(raw, from));
    if (at < 0) return cells;
    from = at + 1;
  }
}

function cell(raw: string, from: number): Cell {
  const trimmed = raw.trim();
  const start = from + (trimmed === '' ? Math.min(1, raw.length) : raw.indexOf(trimmed));
  return { text: trimmed.replaceAll('\\|', '|'), start, length: trimmed.length };
}

/** markdown-it, configured for plans: recognises HTML and comments, so that commented-out text does not count. */
const parser = new MarkdownIt({ html: true });
// The audit judges where a link leads; the parser must not hide it.
parser.validateLink = () => true;
parser.normalizeLink = (url) => url;
parser.block.State = class extends MarkdownIt.StateBlock {
  private inCell: boolean;

  constructor(...given: ConstructorParameters<typeof MarkdownIt.StateBlock>) {
    const [src, md, env, tokens] = given;
    super(src, md, env, tokens);
    this.inCell = false;
  }

  /** Like the original, but with cheap tokens, and none for table cells, which take a third of an audit's time. */
  override push(type: string, tag: string, nesting: -1 | 0 | 1): Token {
    const token = new BlockToken(type, tag, nesting);
    if (nesting < 0) this.level -= 1;
    token.level = this.level;
    if (nesting > 0) this.level += 1;
    const isCell = tag === 'td' || tag === 'th';
    if (isCell) this.inCell = nesting > 0;
    // Block rules only set fields of a token and call none of its methods.
    if (!isCell && !this.inCell) this.tokens.push(token as Token);
    return token as Token;
  }
};

class BlockToken {
  attrs: [string, string][] | null = null;
  map: [number, number] | null = null;
  level = 0;
  children: Token[] | null = null;
  content = '';
  markup = '';
  info = '';
  meta: unknown = null;
  block = true;
  hidden = false;
  type: string;
  tag: string;
  nesting: -1 | 0 | 1;

  constructor(type: string, tag: string, nesting: -1 | 0 | 1) {
    this.type = type;
    this.tag = tag;
    this.nesting = nesting;
  }
}
