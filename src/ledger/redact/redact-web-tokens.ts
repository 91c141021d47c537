const TAIL = /\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g;
const HEADER = /\beyJ[A-Za-z0-9_-]{10}/;

/**
 * Replaces JSON Web Tokens (`eyJ….….…`). Searches backwards from the dots, because a pattern that begins with "eyJ" takes
 * quadratic time on a text that repeats it.
 */
export function redactWebTokens(text: string, instead: string): string {
  let clean = '';
  let done = 0;
  for (const { 0: tail, index } of text.matchAll(TAIL)) {
    const start = headerStart(text, done, index);
    if (start === undefined) continue;
    clean += text.slice(done, start) + instead;
    done = index + tail.length;
  }
  return clean + text.slice(done);
}

/** Where the header that ends at `dot` begins. */
function headerStart(text: string, from: number, dot: number): number | undefined {
  let start = dot;
  while (start > from && isTokenCharacter(text.charCodeAt(start - 1))) start -= 1;
  const header = HEADER.exec(text.slice(start, dot));
  return header ? start + header.index : undefined;
}

function isTokenCharacter(code: number): boolean {
  const isDigit = code >= 48 && code <= 57;
  const isLetter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
  return isDigit || isLetter || code === 45 || code === 95;
}
