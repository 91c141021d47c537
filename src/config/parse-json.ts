import { FermataError } from '../schema/error.ts';

/** The value of a JSON text that a person or a program wrote; an error names the source, the place and the reason. */
export function parseJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    const { message } = cause as Error;
    const place = placeOf(text, message);
    throw new FermataError('invalid', `${source}${place}: not valid JSON (${reasonOf(message)}).`, {
      cause,
    });
  }
}

/** In a larger text, our own search for the position would take too long. */
const MAX_SEARCHED = 1024 * 1024;

function placeOf(text: string, message: string): string {
  const told = / at position (\d+)/.exec(message)?.[1];
  const at = text.length <= MAX_SEARCHED ? jsonPositions(text).error : told && Number(told);
  return at === undefined || at === '' ? '' : `, ${lineAndColumn(text, at)}`;
}

/** Node adds the text around the position, which may be long and is in the file anyway. */
function reasonOf(message: string): string {
  return message.replace(/, \.{0,3}".*$|( in JSON)? at position .*$/s, '');
}

interface JsonPositions {
  /** Where each key begins, by its path: `hilConfig.scopeChanges`. */
  keys: Map<string, number>;
  /** Where the text stops being JSON, if it does. */
  error?: number;
}

const token =
  /[ \t\r\n]*(?:([{}[\],:])|("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|((?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?!\w)))/uy;
const DEEPEST = 100;

/** Finds positions in a small JSON text, because Node's own errors often have none, and a value has none at all. */
export function jsonPositions(text: string): JsonPositions {
  const keys = new Map<string, number>();
  let at = text.startsWith('\uFEFF') ? 1 : 0;

  /** The next token; `at` stays before it until it is consumed. */
  const next = (): { text: string; start: number; end: number } | undefined => {
    token.lastIndex = at;
    const match = token.exec(text);
    const found = match?.[1] ?? match?.[2] ?? match?.[3];
    return found === undefined
      ? undefined
      : { text: found, start: token.lastIndex - found.length, end: token.lastIndex };
  };
  const take = (wanted: (found: string) => boolean) => {
    const found = next();
    if (!found || !wanted(found.text)) return undefined;
    at = found.end;
    return found;
  };
  const takeText = (wanted: string) => take((found) => found === wanted) !== undefined;

  const list = (close: string, entry: () => boolean): boolean => {
    if (takeText(close)) return true;
    do {
      if (!entry()) return false;
    } while (takeText(','));
    return takeText(close);
  };
  const value = (path: string[]): boolean => {
    if (path.length > DEEPEST) return false;
    if (takeText('[')) {
      let index = 0;
      return list(']', () => value([...path, String(index++)]));
    }
    if (!takeText('{')) return take((found) => !/^[}\],:]/.test(found)) !== undefined;
    return list('}', () => {
      const key = take((found) => found.startsWith('"'));
      if (!key) return false;
      const inner = [...path, JSON.parse(key.text) as string];
      keys.set(inner.join('.'), key.start);
      return takeText(':') && value(inner);
    });
  };

  const isWhole = value([]);
  const rest = text.slice(at).search(/[^ \t\r\n]/);
  if (isWhole && rest < 0) return { keys };
  return { keys, error: rest < 0 ? text.length : at + rest };
}

/** `line 3, column 5` of an offset. */
export function lineAndColumn(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}
