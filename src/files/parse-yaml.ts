import { type Document, isScalar, LineCounter, parseDocument, visit, YAMLParseError } from 'yaml';
import { beyondBounds } from './yaml-bounds.ts';

/** What is wrong in a YAML text, and where: line and column from 1. */
export interface YamlFault {
  line: number;
  column: number;
  message: string;
}

export type ParsedYaml =
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
