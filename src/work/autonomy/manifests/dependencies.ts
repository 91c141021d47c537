/** What a manifest asks for: names with their versions, as written. */
export type Dependencies = Map<string, string>;

export type ManifestReader = (text: string) => Dependencies;

/** A line of a manifest is short; of one that is not, the start has to do. */
const LONGEST_LINE = 2000;

export const linesOf = (text: string) => text.split(/\r\n|\r|\n/).map((line) => line.slice(0, LONGEST_LINE));

/** One that is named twice has both versions: neither hides a change of the other. */
export function collect(entries: Iterable<readonly [string, string]>): Dependencies {
  const found: Dependencies = new Map();
  for (const [name, version] of entries) {
    const known = found.get(name) ?? '';
    found.set(
      name,
      known === '' || known === version ? version : [known, version].filter(Boolean).join(', '),
    );
  }
  return found;
}

/** All places that match, with the name and the version in the first two groups of the pattern. */
export function matches(text: string, pattern: RegExp): [string, string][] {
  return [...text.matchAll(pattern)].flatMap(([, name, version]): [string, string][] =>
    name === undefined ? [] : [[name, unquoted((version ?? '').replace(/^[\s,]+/, '').trim())]],
  );
}

/** The same line by line. */
export function fromLines(text: string, pattern: RegExp): Dependencies {
  const every = new RegExp(pattern, pattern.flags.includes('g') ? pattern.flags : `${pattern.flags}g`);
  return collect(linesOf(text).flatMap((line) => matches(line, every)));
}

/** One that is not in the usual group says in which. */
export const inGroup = (name: string, group: string, usual: string) =>
  group === usual ? name : `${name} (${group})`;

export const unquoted = (text: string) => text.replace(/^(["'])([^"']*)\1$/, '$2');
