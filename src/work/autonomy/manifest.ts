import { basename } from 'node:path/posix';
import { isRecord } from '../../ledger/forms/record.ts';

/** What a manifest asks for: names with their versions, as written. */
export type Dependencies = Map<string, string>;

type Reader = (text: string) => Dependencies;

const readers: [RegExp, Reader][] = [
  [/^package\.json$/, (text) => fromJson(text, /dependencies$/i)],
  [/^composer\.json$/, (text) => fromJson(text, /^require(?:-dev)?$/)],
  [/^(?:requirements.*|constraints.*)\.(?:txt|in)$/i, fromRequirements],
  [/^pyproject\.toml$/, fromPyproject],
  [/^Cargo\.toml$/, (text) => fromTables(text, /dependencies(?:\.|$)/)],
  [/^Pipfile$/, (text) => fromTables(text, /^(?:dev-)?packages$/)],
  [/^go\.mod$/, fromGoModule],
  [/^Gemfile$/, (text) => fromLines(text, /^\s*gem\s+['"]([^'"]+)['"](?:\s*,\s*['"]([^'"]+)['"])?/)],
];

export const isManifest = (path: string) => readerOf(path) !== undefined;

/** The dependencies in a manifest; one that cannot be read has none that we know of. */
export function dependenciesIn(path: string, text: string): Dependencies {
  return readerOf(path)?.(text) ?? new Map();
}

function readerOf(path: string): Reader | undefined {
  return readers.find(([name]) => name.test(basename(path)))?.[1];
}

function fromJson(text: string, groups: RegExp): Dependencies {
  const manifest = parsed(text);
  const found = Object.entries(manifest).filter(([key, value]) => groups.test(key) && isRecord(value));
  return new Map(
    found.flatMap(([, group]) =>
      Object.entries(group as object).map(([name, version]) => [name, String(version)]),
    ),
  );
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {}; // broken while somebody edits it: its gates will say so
  }
}

function fromLines(text: string, pattern: RegExp): Dependencies {
  return new Map(
    text.split(/\r?\n/).flatMap((line): [string, string][] => {
      const [, name, version = ''] = pattern.exec(line) ?? [];
      return name === undefined ? [] : [[name, version.trim()]];
    }),
  );
}

const requirement = /^\s*([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*([^#;]*)/;

function fromRequirements(text: string): Dependencies {
  return fromLines(text, requirement);
}

const quoted = /(["'])((?:(?!\1).)*)\1/g;

/** `dependencies = ["a>=1"]` of the standard, its optional groups, and the tables of Poetry. */
function fromPyproject(text: string): Dependencies {
  const found = fromTables(text, /^tool\.poetry\.(?:.*\.)?(?:dev-)?dependencies$/);
  let table = '';
  let isInList = false;
  for (const line of text.split(/\r?\n/)) {
    const bare = line.replace(quoted, '');
    const [, key] = /^\s*([\w-]+)\s*=\s*\[/.exec(bare) ?? [];
    if (!isInList) table = headingIn(line) ?? table;
    isInList ||=
      key !== undefined && (key === 'dependencies' || /optional-dependencies|dependency-groups/.test(table));
    if (!isInList) continue;
    for (const [, , entry = ''] of line.matchAll(quoted)) {
      const [, name, version = ''] = requirement.exec(entry) ?? [];
      if (name) found.set(name, version.trim());
    }
    isInList = !bare.includes(']');
  }
  return found;
}

const headingIn = (line: string) => /^\s*\[+([^[\]]+)\]+/.exec(line)?.[1]?.trim();

/** Lines `name = value` below headings that fit; a dependency may also have a table of its own. */
function fromTables(text: string, heading: RegExp): Dependencies {
  const found: Dependencies = new Map();
  let table: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const name = headingIn(line);
    if (name !== undefined) table = heading.test(name) ? name : undefined;
    const own = /dependencies\.([\w-]+)$/.exec(table ?? '')?.[1];
    if (own !== undefined && name !== undefined) found.set(own, '');
    const [, key, value = ''] = /^\s*["']?([\w.-]+)["']?\s*=\s*(.*?)\s*(?:#.*)?$/.exec(line) ?? [];
    if (table === undefined || key === undefined) continue;
    const version = value.replace(/^["']|["']$/g, '');
    if (own === undefined) found.set(key, version);
    else if (key === 'version') found.set(own, version);
  }
  return found;
}

function fromGoModule(text: string): Dependencies {
  return fromLines(text.replace(/^\s*require\s+/gm, ''), /^\s*([\w.-]+\.[\w.-]+\/\S+)\s+(v\S+)/);
}
