import type { Token } from 'markdown-it';
import { parser } from './markdown-parser.ts';

/** A block of a Markdown text, in text order. Lines count from 1; `end` is its last line. */
export type Block =
  | { kind: 'heading'; level: number; text: string; line: number }
  | ({ kind: 'paragraph' } & Text)
  | ({ kind: 'item'; number: string | undefined } & Text)
  | ({ kind: 'code' } & Text)
  /** The first line has the headings. */
  | { kind: 'table'; lines: number[] };

export interface Text {
  text: string;
  line: number;
  end: number;
  /** How many list items contain it; an item counts itself. */
  depth: number;
}

export type References = Record<string, unknown>;

export interface Document {
  /** Without line breaks and byte order mark. */
  lines: string[];
  blocks: Block[];
  /** The lines between two `---` at the beginning. */
  frontMatter: number[];
  /** What `[text][name]` refers to. */
  references: References;
  /** The lines of code blocks, HTML and comments: [first, last]. */
  code: [number, number][];
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

function toBlocks(tokens: Token[]): Pick<Document, 'blocks' | 'code'> {
  const blocks: Block[] = [];
  const code: [number, number][] = [];
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
        blocks.push({ kind: 'code', text: token.content, line: start + 1, end: stop, depth });
        code.push([start + 1, stop]);
        break;
      case 'html_block':
        code.push([start + 1, stop]);
    }
    opened = undefined;
  }
  return { blocks, code };
}

function heading(token: Token, inline: Token | undefined): Block {
  const level = Number(token.tag.slice(1));
  return { kind: 'heading', level, text: inline?.content ?? '', line: (token.map?.[0] ?? 0) + 1 };
}
