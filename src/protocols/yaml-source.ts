import { type Document, isAlias, isMap, isScalar, LineCounter, type Node, parseDocument } from 'yaml';
import { beyondBounds } from '../files/parse-yaml.ts';
import type { FilePosition } from './protocol.ts';
import { errorAt, type Problem, shown } from './protocol.ts';

/** Each alias can repeat a large part of the file. */
const MAX_ALIASES = 100;

export interface Field {
  name: string;
  at: FilePosition;
  value: Node | null;
}

/** A YAML file whose parts know their positions; `problems` collects what is wrong with it. */
export class YamlSource {
  readonly problems: Problem[] = [];
  readonly root: Node | null;
  readonly top: FilePosition;
  private readonly lines = new LineCounter();
  private readonly document: Document.Parsed | undefined;
  private readonly text: string;
  private readonly file: string;
  private aliases = 0;

  constructor(text: string, file: string) {
    this.text = text;
    this.file = file;
    this.top = { file, line: 1, column: 1 };
    this.document = this.parse();
    this.root = this.document?.contents ?? null;
  }

  place(node: Node | null, otherwise: FilePosition): FilePosition {
    return node?.range ? this.placeAt(node.range[0]) : otherwise;
  }

  line(number: number): string {
    const start = this.lines.lineStarts[number - 1] ?? this.text.length;
    return this.text.slice(start, this.lines.lineStarts[number]).replace(/\n$/, '');
  }

  fail(at: FilePosition, message: string): void {
    this.problems.push(errorAt(at, message));
  }

  /** The entries of a mapping; a duplicate name is a problem. */
  fields(node: Node | null): Field[] | undefined {
    if (!isMap<Node, Node | null>(node)) return undefined;
    const seen = new Map<string, FilePosition>();
    return node.items.flatMap(({ key, value }) => {
      const at = this.place(key, this.top);
      if (!isScalar(key)) {
        this.fail(at, 'A key must be one word or number.');
        return [];
      }
      const name = key.source ?? String(key.value ?? '');
      const before = seen.get(name);
      if (before) this.fail(at, `"${shown(name)}" is a duplicate; the first one is on line ${before.line}.`);
      seen.set(name, at);
      return before ? [] : [{ name, at, value: this.follow(value) }];
    });
  }

  /** What an alias refers to. */
  follow(node: Node | null): Node | null {
    if (!isAlias(node) || !this.document) return node;
    this.aliases += 1;
    if (this.aliases <= MAX_ALIASES) return node.resolve(this.document) ?? null;
    if (this.aliases === MAX_ALIASES + 1)
      this.fail(this.place(node, this.top), `The file has more than ${MAX_ALIASES} aliases.`);
    return null;
  }

  private parse(): Document.Parsed | undefined {
    const fault = beyondBounds(this.text);
    if (fault !== undefined) {
      this.fail(this.top, `Not readable: ${fault}.`);
      return undefined;
    }
    // The parser's own check for unique keys treats 2.1 and 2.10 as equal.
    const document = parseDocument(this.text, {
      uniqueKeys: false,
      prettyErrors: false,
      lineCounter: this.lines,
    });
    for (const { pos, message } of document.errors) this.fail(this.placeAt(pos[0]), `${message}.`);
    return document;
  }

  private placeAt(offset: number): FilePosition {
    const { line, col } = this.lines.linePos(offset);
    return { file: this.file, line: Math.max(1, line), column: Math.max(1, col) };
  }
}
