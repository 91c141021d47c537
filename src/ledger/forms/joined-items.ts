import type { Answer } from '../../schema/question.ts';

/**
 * Several values as one text, for a format that has room for one: joined with `, `; a value that this would split is
 * written as a JSON string.
 */
export function joinItems(items: readonly string[]): string {
  return items.map((item) => (mustBeQuoted(item) ? JSON.stringify(item) : item)).join(SEPARATOR);
}

/** The values that {@link joinItems} joined, without empty ones. */
export function splitItems(text: string): string[] {
  const items: string[] = [];
  let rest = text;
  while (rest !== '') {
    const quoted = leadingString(rest);
    const end = quoted?.end ?? separatorIn(rest);
    items.push(quoted?.value ?? rest.slice(0, end));
    rest = rest.slice(end + SEPARATOR.length);
  }
  return items.map((item) => item.trim()).filter((item) => item !== '');
}

const SEPARATOR = ', ';

function mustBeQuoted(item: string): boolean {
  return item.includes(SEPARATOR) || item.includes('"');
}

function separatorIn(text: string): number {
  const at = text.indexOf(SEPARATOR);
  return at < 0 ? text.length : at;
}

/** A JSON string that is a whole item, not just a text that starts with a quotation mark. */
function leadingString(text: string): { value: string; end: number } | undefined {
  const [literal] = /^"(?:[^"\\]|\\.)*"/s.exec(text) ?? [];
  if (literal === undefined) return undefined;
  const end = literal.length;
  if (end !== text.length && !text.startsWith(SEPARATOR, end)) return undefined;
  try {
    return { value: JSON.parse(literal), end };
  } catch {
    return undefined; // not our quoting: taken literally
  }
}

/** Agents mark a recommendation in the label itself. The label stays, and `recommended` has it too. */
export function markedAsRecommended(labels: readonly string[], multi: boolean): Answer | undefined {
  const marked = labels.map((label) => label.trim()).filter((label) => /\S\s*\(recommended\)$/i.test(label));
  const [first] = marked;
  if (first === undefined || (marked.length > 1 && !multi)) return undefined;
  return multi ? marked : first;
}
