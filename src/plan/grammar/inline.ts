import type { Token } from 'markdown-it';
import type { References } from './markdown.ts';
import { parser } from './markdown-parser.ts';

export interface Link {
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
