import { hiddenLines, readMarkdown } from '../../text/markdown.ts';
import type { TextSpan } from '../grammar/plan.ts';

export interface Placeholder {
  text: string;
  span: TextSpan;
}

const WORDS = String.raw`[A-Za-z][\w .,'’?/+-]{0,120}`;
const patterns = [
  String.raw`\{\{[^{}\n]{1,100}\}\}`,
  String.raw`(?<![$#%\\{])\{${WORDS}\}(?!\})`,
  String.raw`\[(?:describe|insert|your|placeholder|to be|fill in|enter|name of|todo|tbd)\b[^\][\n]{0,100}\](?![([:])`,
  String.raw`<(?:your|insert|describe|placeholder)\b[^<>\n]{0,100}>`,
  String.raw`(?<![\w-])TBD(?![\w-])`,
  String.raw`(?<![\w-])(?:TODO|FIXME)(?=:)`,
  // At the beginning of a line, an item or a cell.
  String.raw`(?=TODO|FIXME)(?<=^[ \t>]{0,20}(?:(?:[-*+]|\d{1,9}[.)])[ \t]{1,9})?(?:\[[ x]\][ \t]{1,9})?|\|[ \t]{0,20})(?:TODO|FIXME)(?![\w-])`,
];
const any = new RegExp(patterns.join('|'), 'gim');
/** A quick check: without one of these there is no placeholder. */
const signs = /[{<]|TBD|TODO|FIXME|\[[a-z][a-z ]/gi;
const shouted = /^(?:TBD|TODO|FIXME)$/;
/** Braces are common in code, so only what a template calls a placeholder, or what reads like an instruction, counts there. */
const inCode =
  /^\{(?:N(?:[+-]1)?|feature(?:[ _-]name)?|phase(?:[ _-](?:title|number|n))?|[A-Za-z]\w*(?: [\w'’-]+){2,})\}$/i;
/** `/users/{id}` is a path. */
const parameter = /^\{[a-z]\w*\}$/;

/** What somebody still has to fill in. Ignores code blocks and comments. */
export function findPlaceholders(text: string): Placeholder[] {
  if (!mayHaveSome(text)) return [];
  const document = readMarkdown(text);
  const hidden = hiddenLines(document);
  return document.lines.flatMap((line, index) => (hidden.has(index + 1) ? [] : inLine(line, index + 1)));
}

function mayHaveSome(text: string): boolean {
  let seen = 0;
  for (const { index } of text.matchAll(signs)) {
    if (index < seen) continue;
    const from = text.lastIndexOf('\n', index) + 1;
    const to = text.indexOf('\n', index);
    seen = to < 0 ? text.length : to;
    if (text.slice(from, seen).search(any) >= 0) return true;
  }
  return false;
}

/** Whether something, such as a gate's command, still has to be written. */
export function hasPlaceholder(text: string): boolean {
  return findPlaceholders(`\`${text}\``).length > 0 || findPlaceholders(text).length > 0;
}

function inLine(text: string, line: number): Placeholder[] {
  const found: Placeholder[] = [];
  let quotes = 0;
  let from = 0;
  for (const match of text.matchAll(any)) {
    const before = text.slice(from, match.index);
    quotes += before.match(/`/g)?.length ?? 0;
    from = match.index;
    if (isOne(match[0], text[match.index - 1] ?? '', quotes % 2 === 1))
      found.push({ text: match[0], span: { line, column: match.index + 1, length: match[0].length } });
  }
  return found;
}

function isOne(found: string, before: string, quoted: boolean): boolean {
  if (/^(?:tbd|todo|fixme)$/i.test(found) && !shouted.test(found)) return false;
  if (quoted) return inCode.test(found);
  return !(parameter.test(found) && /[/=]/.test(before));
}
