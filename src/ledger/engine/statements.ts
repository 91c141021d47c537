import type { SqlRunner } from './store.ts';
import type { Tables } from './tables.ts';

/**
 * Inserts a row; false if it was there already, which without `onConflict` is an error. Columns as `onConflict` replace the
 * row that has the same values in them.
 */
export async function insert<Name extends keyof Tables>(
  runner: SqlRunner,
  table: Name,
  row: Tables[Name],
  onConflict?: 'nothing' | readonly (keyof Tables[Name] & string)[],
): Promise<boolean> {
  const text = insertText(table, Object.keys(row), onConflict);
  return (await runner.changes(text, ...Object.values(row))) === 1;
}

/** Changes the rows of a table that have all values of `where`; returns how many there were. */
export function update<Name extends keyof Tables>(
  runner: SqlRunner,
  table: Name,
  changes: Partial<Tables[Name]>,
  where: Partial<Tables[Name]>,
): Promise<number> {
  const text = updateText(table, Object.keys(changes), Object.keys(where));
  return runner.changes(text, ...Object.values(changes), ...Object.values(where));
}

const texts = new Map<string, string>();

/** The text for a key, made once. */
function cached(key: string, make: () => string): string {
  const text = texts.get(key) ?? make();
  texts.set(key, text);
  return text;
}

function insertText(table: string, columns: string[], onConflict?: 'nothing' | readonly string[]): string {
  return cached(`insert ${table} ${columns} ${onConflict}`, () => {
    const names = columns.map(quoted);
    const insert = `insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`;
    if (onConflict === undefined) return insert;
    if (onConflict === 'nothing') return `${insert} on conflict do nothing`;
    const others = columns.filter((column) => !onConflict.includes(column)).map(quoted);
    const changes = others.map((name) => `${name} = excluded.${name}`);
    return `${insert} on conflict (${onConflict.map(quoted).join(', ')}) do update set ${changes.join(', ')}`;
  });
}

function updateText(table: string, columns: string[], where: string[]): string {
  return cached(`update ${table} ${columns} ${where}`, () => {
    const equal = (names: string[]) => names.map((name) => `${quoted(name)} = ?`);
    return `update ${table} set ${equal(columns).join(', ')} where ${equal(where).join(' and ')}`;
  });
}

/** Some columns are called like words of SQL. */
const quoted = (column: string) => `"${column}"`;
