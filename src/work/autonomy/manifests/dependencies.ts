/** The dependencies in a manifest: names with their versions, as written. */
export type Dependencies = Map<string, string>;

export type ManifestReader = (text: string) => Dependencies;

/** Lines of a manifest are short; of a longer line only the start is read. */
const MAX_LINE_LENGTH = 2000;

export const linesOf = (text: string) =>
  text.split(/\r\n|\r|\n/).map((line) => line.slice(0, MAX_LINE_LENGTH));

/** A name that appears twice has both versions, so that neither hides a change of the other. */
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

/** All matches, with name and version in the first two groups of the pattern. */
export function matches(text: string, pattern: RegExp): [string, string][] {
  return [...text.matchAll(pattern)].flatMap(([, name, version]): [string, string][] =>
    name === undefined ? [] : [[name, unquoted((version ?? '').replace(/^[\s,]+/, '').trim())]],
  );
}

/** Like `matches`, line by line. */
export function fromLines(text: string, pattern: RegExp): Dependencies {
  const every = new RegExp(pattern, pattern.flags.includes('g') ? pattern.flags : `${pattern.flags}g`);
  return collect(linesOf(text).flatMap((line) => matches(line, every)));
}

/** Adds the group to the name, except for the usual group. */
export const inGroup = (name: string, group: string, usual: string) =>
  group === usual ? name : `${name} (${group})`;

export const unquoted = (text: string) => text.replace(/^(["'])([^"']*)\1$/, '$2');
