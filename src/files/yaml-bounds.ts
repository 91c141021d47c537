import { type CST, Lexer, Parser } from 'yaml';

/** Nobody nests deeper than this. */
const DEEPEST = 100;
/** The most tokens of a text; a block of text is one token, however long. */
const MAX_MARKS = 100_000;

/**
 * Why we refuse to parse a YAML text, as the end of a sentence about it. Building the nodes recurses, which could end
 * this process (V8 aborts if it compiles a regular expression with the stack nearly full), and takes time for each node;
 * this check does neither.
 */
export function beyondBounds(text: string): string | undefined {
  const parser = new Parser();
  const left: { token: CST.Token; depth: number }[] = [];
  const keep = (tokens: Iterable<CST.Token>) => {
    for (const token of tokens) left.push({ token, depth: 0 });
  };
  let marks = 0;
  for (const mark of new Lexer().lex(text)) {
    marks += 1;
    if (marks > MAX_MARKS) return `it has more than ${MAX_MARKS} tokens`;
    keep(parser.next(mark));
  }
  keep(parser.end());
  for (let next = left.pop(); next; next = left.pop()) {
    if (next.depth > DEEPEST) return 'it is nested too deeply';
    for (const token of inside(next.token)) left.push({ token, depth: next.depth + 1 });
  }
  return undefined;
}

function inside(token: CST.Token): CST.Token[] {
  if (token.type === 'document') return token.value ? [token.value] : [];
  if (!('items' in token)) return [];
  return token.items.flatMap(({ key, value }) =>
    [key, value].filter((part) => part !== undefined && part !== null),
  );
}
