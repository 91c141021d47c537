/** A language's comments and strings, as far as needed to tell which lines begin inside a string. */
interface Language {
  lineComment: string;
  blockComment?: [open: string, close: string];
  /** Strings that may span lines. */
  long: string[];
  /** Strings that end with their line. */
  short: string[];
  /** Whether a backslash escapes the next character in a long string. */
  escapes: boolean;
  /** Whether `/…/` may be a regular expression, which may contain quotes. */
  patterns: boolean;
}

const script: Language = {
  lineComment: '//',
  blockComment: ['/*', '*/'],
  long: ['`'],
  short: ['"', "'"],
  escapes: true,
  patterns: true,
};
const python: Language = {
  lineComment: '#',
  long: ['"""', "'''"],
  short: ['"', "'"],
  escapes: true,
  patterns: false,
};
const go: Language = { ...script, escapes: false, patterns: false };

const languages = new Map<string, Language>([
  ...['js', 'jsx', 'mjs', 'cjs', 'ts', 'tsx', 'mts', 'cts'].map((ending) => [ending, script] as const),
  ...['py', 'pyi'].map((ending) => [ending, python] as const),
  ['go', go],
]);

/** After one of these, a slash begins a regular expression and is not a division. */
const beforePattern =
  /(?:^|[([{,;=:!&|?+\-*%<>~^}]|\b(?:return|typeof|case|in|of|delete|void|throw|new|else|do|yield|await))\s*$/;

/**
 * Which lines (from 0) begin inside a multi-line string, where what looks like a comment is text. If a string never ends,
 * we misread something, and no line counts as inside.
 */
export function linesInStrings(text: string, extension: string): Set<number> {
  const language = languages.get(extension.toLowerCase());
  if (!language?.long.some((quote) => text.includes(quote))) return new Set();
  const inside = new Set<number>();
  let line = 0;
  for (let at = 0; at < text.length; ) {
    if (text[at] === '\n') line++;
    const end = tokenEnd(text, at, language);
    if (end === undefined) return new Set();
    const isString = language.long.some((quote) => text.startsWith(quote, at));
    for (let next = at + 1; next < end; next++) {
      if (text[next] !== '\n') continue;
      line++;
      if (isString) inside.add(line);
    }
    at = end;
  }
  return inside;
}

/** Nobody nests templates deeper than this. */
const DEEPEST = 100;

/** The end of the token that begins here; undefined for a multi-line string that never ends. */
function tokenEnd(text: string, at: number, language: Language, depth = 0): number | undefined {
  const { lineComment, blockComment, long, short, patterns } = language;
  const begins = (sign: string) => text.startsWith(sign, at);
  if (begins(lineComment)) return after(text, '\n', at);
  if (blockComment && begins(blockComment[0]))
    return after(text, blockComment[1], at + blockComment[0].length);
  const quote = long.find(begins);
  if (quote) return longEnd(text, at + quote.length, quote, language, depth);
  const mark = short.find(begins);
  if (mark) return shortEnd(text, at + 1, mark);
  if (patterns && begins('/') && beforePattern.test(text.slice(Math.max(0, at - 40), at)))
    return patternEnd(text, at);
  return at + 1;
}

function after(text: string, sign: string, from: number): number {
  const found = text.indexOf(sign, from);
  return found < 0 ? text.length : found + sign.length;
}

function longEnd(
  text: string,
  from: number,
  quote: string,
  language: Language,
  depth: number,
): number | undefined {
  if (depth > DEEPEST) return undefined;
  for (let at = from; at < text.length; ) {
    if (text.startsWith(quote, at)) return at + quote.length;
    if (language.patterns && text.startsWith('${', at)) {
      const end = insertedCodeEnd(text, at + 2, language, depth + 1);
      if (end === undefined) return undefined;
      at = end;
    } else at += language.escapes && text[at] === '\\' ? 2 : 1;
  }
  return undefined;
}

/** `${…}` in a template may itself contain templates. */
function insertedCodeEnd(text: string, from: number, language: Language, depth: number): number | undefined {
  for (let at = from, braces = 1; at < text.length; ) {
    braces += text[at] === '{' ? 1 : text[at] === '}' ? -1 : 0;
    if (braces === 0) return at + 1;
    const end = tokenEnd(text, at, language, depth);
    if (end === undefined) return undefined;
    at = end;
  }
  return undefined;
}

/** At its closing quote, or at the end of its line, because an apostrophe in prose does not begin a string. */
function shortEnd(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length && text[at] !== '\n'; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === quote) return at + 1;
  }
  return from;
}

/** A regular expression ends at the next slash on its line that is not in a class; otherwise it was a division. */
function patternEnd(text: string, start: number): number {
  let inClass = false;
  for (let at = start + 1; at < text.length && text[at] !== '\n'; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '[') inClass = true;
    else if (text[at] === ']') inClass = false;
    else if (text[at] === '/' && !inClass) return at + 1;
  }
  return start + 1;
}
