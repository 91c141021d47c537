import { LineSplitter } from '../../files/line-splitter.ts';
import { FermataError } from '../../schema/error.ts';
import { schemaVersion, supported } from '../engine/migrations.ts';
import { insert } from '../engine/statements.ts';
import type { SqlRunner, Store } from '../engine/store.ts';
import { type ExportedRow, type ExportHead, FORMAT } from './export-lines.ts';
import { findFaults } from './find-faults.ts';
import {
  type Column,
  columnsOf,
  countRows,
  type KeptTable,
  numberedTables,
  tableNames,
} from './kept-tables.ts';
import type { CareOptions } from './progress.ts';

/** A row of the ledger is far smaller. */
const MAX_LINE = 64 * 1024 * 1024;

/**
 * Reads an export into an empty ledger, in one transaction: either all of it is stored or nothing. Returns how many rows it
 * had. `name` is how people know the export.
 */
export async function importLines(
  store: Store,
  source: AsyncIterable<Uint8Array>,
  name: string,
  { signal, onProgress }: CareOptions = {},
): Promise<number> {
  return store.write(
    null,
    async (tx) => {
      await requireEmpty(tx, store.place);
      const tables = await columnsOfAll(tx);
      let head: ExportHead | undefined;
      let total = 0;
      let done = 0;
      const place = (line: number) => `Line ${line} of ${name}`;
      for await (const lines of linesOf(source, name)) {
        signal?.throwIfAborted();
        for (const { number, text } of lines) {
          if (!head) {
            head = headOf(text, name);
            total = sum(head.rows);
            continue;
          }
          const { table, row } = checkedRow(text, place(number), tables);
          await insert(tx, table, row as never).catch((error: Error) => {
            throw broken(place(number), error.message, error);
          });
          done += 1;
        }
        onProgress?.(done, total);
      }
      if (!head) throw notAnExport(name, 'it is empty');
      await requireAll(tx, head, name);
      await continueNumbers(tx);
      await requireSound(tx, name);
      return done;
    },
    { once: true },
  );
}

async function requireEmpty(tx: SqlRunner, place: string): Promise<void> {
  if (sum(await countRows(tx)) === 0) return;
  throw new FermataError(
    'conflict',
    `The ledger at ${place} is not empty, and an import needs an empty one. Nothing was changed. Name another place with --store.`,
  );
}

async function columnsOfAll(tx: SqlRunner): Promise<Map<string, Column[]>> {
  const tables = new Map<string, Column[]>();
  for (const table of tableNames) tables.set(table, await columnsOf(tx, table));
  return tables;
}

interface Line {
  number: number;
  text: string;
}

/** The lines of each chunk. */
async function* linesOf(source: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Line[], void> {
  let number = 0;
  let lines: Line[] = [];
  const splitter = new LineSplitter(
    (bytes, start, end) => {
      number += 1;
      lines.push({ number, text: bytes.toString('utf8', start, end) });
    },
    () => {
      throw broken(`Line ${number + 1} of ${name}`, 'it is too long');
    },
    MAX_LINE,
  );
  for await (const chunk of source) {
    splitter.push(chunk);
    yield lines;
    lines = [];
  }
  splitter.end();
  yield lines;
}

/** Whether a text may be the first line of an export. */
export function headOf(text: string, name: string): ExportHead {
  const head = parsed(text);
  if (!isRecord(head) || head.format !== FORMAT || !isRecord(head.rows) || typeof head.version !== 'number')
    throw notAnExport(name, `its first line is not {"format":"${FORMAT}",…}`);
  if (supported(head.version, true, name) !== schemaVersion)
    throw notAnExport(name, `its version is ${head.version}`);
  return head as unknown as ExportHead;
}

function checkedRow(text: string, place: string, tables: Map<string, Column[]>): ExportedRow {
  const line = parsed(text);
  if (!isRecord(line) || !isRecord(line.row)) throw broken(place, 'it is not {"table":…,"row":{…}}');
  const columns = tables.get(String(line.table));
  if (!columns) throw broken(place, `"${String(line.table).slice(0, 100)}" is not a table of the ledger`);
  const { row } = line;
  const known = new Set(columns.map(({ name }) => name));
  const unknown = Object.keys(row).find((key) => !known.has(key));
  if (unknown !== undefined)
    throw broken(place, `"${unknown.slice(0, 100)}" is not a column of ${line.table}`);
  for (const column of columns)
    if (!fits(row[column.name], column))
      throw broken(place, `${column.name} is missing or has the wrong type`);
  return { table: line.table as KeptTable, row };
}

function fits(value: unknown, { isText, isNullable }: Column): boolean {
  if (value === null) return isNullable;
  return isText ? typeof value === 'string' : Number.isSafeInteger(value);
}

async function requireAll(tx: SqlRunner, { rows }: ExportHead, name: string): Promise<void> {
  const found = await countRows(tx);
  const table = tableNames.find((each) => found[each] !== rows[each]);
  if (table === undefined) return;
  throw new FermataError(
    'invalid',
    `${name} is not complete: it has ${found[table]} rows of ${table} instead of ${rows[table]}. Nothing was imported. Export the ledger again.`,
  );
}

/** The next row of these tables gets the next number. SQLite remembers it by itself. */
async function continueNumbers(tx: SqlRunner): Promise<void> {
  if (tx.dialect === 'sqlite') return;
  for (const table of numberedTables)
    await tx.sql(`select setval('${table}_id_seq', (select coalesce(max(id), 0) + 1 from ${table}), false)`);
}

async function requireSound(tx: SqlRunner, name: string): Promise<void> {
  const [first] = await findFaults(tx);
  if (first === undefined) return;
  throw new FermataError('invalid', `${name} cannot be used: ${first} Nothing was imported.`);
}

const notAnExport = (name: string, why: string) =>
  new FermataError('invalid', `${name} is not an export of a ledger (${why}). Nothing was imported.`);

const broken = (place: string, why: string, cause?: unknown) =>
  new FermataError('invalid', `${place} is broken: ${why}. Nothing was imported.`, { cause });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const sum = (rows: Record<string, number>) => Object.values(rows).reduce((total, count) => total + count, 0);
