import { collect, type Dependencies, inGroup, linesOf, unquoted } from './dependencies.ts';

export const headingIn = (line: string) => /^\s*\[+([^[\]]+)\]+/.exec(line)?.[1]?.trim();

const assignment = /^\s*["']?([\w.@/-]+)["']?\s*=\s*(.*)$/;

/** Lines `name = value` under matching headings; a dependency may also have its own table. */
export function fromTables(text: string, heading: RegExp, usual: string): Dependencies {
  const found: [string, string][] = [];
  let table: string | undefined;
  for (const line of linesOf(text)) {
    const name = headingIn(line);
    if (name !== undefined) table = heading.test(name) ? name : undefined;
    if (table === undefined) continue;
    const [, group = table, own] = /^(.*dependencies)\.["']?([\w-]+)["']?$/.exec(table) ?? [];
    if (name !== undefined && own !== undefined) found.push([inGroup(own, group, usual), '']);
    const [, key, value = ''] = name === undefined ? (assignment.exec(line) ?? []) : [];
    if (key === undefined) continue;
    const version = unquoted(withoutComment(value));
    if (own === undefined) found.push([inGroup(key, group, usual), version]);
    else found.push([inGroup(own, group, usual), key === 'version' ? version : `${key} = ${version}`]);
  }
  return collect(found);
}

/** A `#` inside quotes does not start a comment. */
function withoutComment(value: string): string {
  const end = /^(?:[^#"']|"[^"]*"|'[^']*')*/.exec(value)?.[0] ?? value;
  return (end.length < value.length && value[end.length] === '#' ? end : value).trim();
}
