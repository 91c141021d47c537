import { type CST, Parser } from 'yaml';

/** Nobody writes deeper than this. */
const DEEPEST = 100;

/**
 * Whether a YAML text is nested so deeply that building its nodes, which recurses, could end this process: V8 gives up
 * for good where it meets a new regular expression with the stack nearly full. The parser behind it does not recurse.
 */
export function isTooDeep(text: string): boolean {
  const left: { token: CST.Token; depth: number }[] = [];
  for (const token of new Parser().parse(text)) left.push({ token, depth: 0 });
  for (let next = left.pop(); next; next = left.pop()) {
    if (next.depth > DEEPEST) return true;
    for (const token of inside(next.token)) left.push({ token, depth: next.depth + 1 });
  }
  return false;
}

function inside(token: CST.Token): CST.Token[] {
  if (token.type === 'document') return token.value ? [token.value] : [];
  if (!('items' in token)) return [];
  return token.items.flatMap(({ key, value }) =>
    [key, value].filter((part) => part !== undefined && part !== null),
  );
}
