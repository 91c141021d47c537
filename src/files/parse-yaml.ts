import {
  type CST,
  type Document,
  isScalar,
  Lexer,
  LineCounter,
  Parser,
  parseDocument,
  visit,
  YAMLParseError,
} from 'yaml';

/** What is wrong in a YAML text, and where: line and column from 1. */
export interface YamlFault {
  line: number;
  column: number;
  message: string;
}

type ParsedYaml =
  /** The text was not parsed at all. */
  { refused: string } | { document: Document.Parsed; lines: LineCounter; faults: YamlFault[] };

/** Each alias may repeat everything it refers to, so a few lines could become endless. */
const MAX_ALIASES = 10;

/** Parses a YAML text from outside into nodes. */
export function parseYaml(text: string): ParsedYaml {
  const refused = beyondBounds(text);
  if (refused !== undefined) return { refused };
  const lines = new LineCounter();
  const document = parseDocument(text, {
    // The parser compares each key with all earlier ones, which takes quadratic time.
    uniqueKeys: false,
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'silent',
  });
  const faults = [...document.errors, ...repeatedKeys(document)].map(({ pos, message }) => {
    const { line, col } = lines.linePos(pos[0]);
    return { line: Math.max(line, 1), column: Math.max(col, 1), message };
  });
  return { document, lines, faults };
}

/** The nodes as plain values, or why that fails; faults of aliases and merges only show here. */
export function plainValue(document: Document.Parsed): { value: unknown } | { refused: string } {
  try {
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }) };
  } catch (error) {
    const { message } = error as Error;
    return { refused: message.startsWith('Excessive alias') ? 'it has too many aliases' : message };
  }
}

function repeatedKeys(document: Document.Parsed): YAMLParseError[] {
  const found: YAMLParseError[] = [];
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const [start = 0, end = 0] = key.range ?? [];
        if (seen.has(key.value))
          found.push(new YAMLParseError([start, end], 'DUPLICATE_KEY', 'Map keys must be unique'));
        seen.add(key.value);
      }
    },
  });
  return found;
}

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
