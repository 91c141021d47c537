import { collect, type Dependencies, inGroup, linesOf } from './dependencies.ts';
import { fromTables, headingIn } from './toml.ts';

const requirement = /^\s*([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*([^#;]*)/;
/** Entries that are not a name: another file, another index, an address, a folder. */
const elsewhere =
  /^\s*(?:(?:-e|-r|-c|-f|-i|--editable|--requirement|--constraint|--find-links|--index-url|--extra-index-url)\b|[a-z+]+:\/\/|\.{0,2}\/).*$/;

export function fromRequirements(text: string): Dependencies {
  return collect(linesOf(text).flatMap(required));
}

function required(line: string): [string, string][] {
  const bare = line.replace(/(?:^|\s)#.*$/, '');
  if (elsewhere.test(bare)) return [[bare.trim().replace(/\s+/g, ' '), '']];
  const [, name, version = ''] = requirement.exec(bare) ?? [];
  return name === undefined ? [] : [[name, version.replace(/\s*\\$/, '').trim()]];
}

const quoted = /(["'])((?:(?!\1).)*)\1/g;
const poetry = /^tool\.(?:poetry\.(?:.*\.)?(?:dev-)?dependencies|uv\.sources)(?:\.|$)/;

/** `dependencies = ["a>=1"]` of the standard, its optional groups, and the tables of Poetry. */
export function fromPyproject(text: string): Dependencies {
  const listed = fromLists(
    text,
    (key, table) =>
      /^(?:dev-)?dependencies$|^requires$/.test(key) ||
      /optional-dependencies|dependency-groups|dev-dependencies/.test(table),
  );
  const tables = fromTables(text, poetry, 'tool.poetry.dependencies');
  return collect([...listed, ...tables]);
}

/** `install_requires=["a>=1"]` of `setup.py`. */
export function fromSetup(text: string): Dependencies {
  return fromLists(text, (key) => /^(?:install|setup|tests)_requires?$/.test(key));
}

function fromLists(text: string, isWanted: (key: string, table: string) => boolean): Dependencies {
  const found: [string, string][] = [];
  let table = '';
  let group: string | undefined;
  for (const line of linesOf(text)) {
    const bare = line.replace(quoted, '');
    const [, key] = /^\s*([\w-]+)\s*=\s*\[/.exec(bare) ?? [];
    if (group === undefined) table = headingIn(line) ?? table;
    if (key !== undefined && group === undefined && isWanted(key, table)) group = key;
    if (group === undefined) continue;
    const usual = /^(?:dependencies|install_requires)$/.test(group) ? group : '';
    const entries = bare.trimStart().startsWith('#') ? [] : [...line.matchAll(quoted)];
    for (const [, , entry = ''] of entries) {
      for (const [name, version] of required(entry)) found.push([inGroup(name, group, usual), version]);
    }
    if (bare.includes(']')) group = undefined;
  }
  return collect(found);
}

/** `install_requires =` of `setup.cfg`, one per line. */
export function fromSetupCfg(text: string): Dependencies {
  const found: [string, string][] = [];
  let table = '';
  let key = '';
  for (const line of linesOf(text)) {
    table = headingIn(line) ?? table;
    const [, name, first = ''] = /^([\w.-]+)\s*=\s*(.*)$/.exec(line) ?? [];
    key = name ?? (/^\s/.test(line) ? key : '');
    const isWanted =
      (table === 'options' && /_requires?$/.test(key) && key !== 'python_requires') ||
      table === 'options.extras_require';
    if (!isWanted || key === '') continue;
    for (const [dependency, version] of required(name === undefined ? line : first)) {
      found.push([inGroup(dependency, key, 'install_requires'), version]);
    }
  }
  return collect(found);
}
