import type * as z from 'zod';
import { FermataError } from '../../schema/error.ts';
import type { SqlRunner } from './store.ts';

/**
 * The JSON in a row. It was checked when it was written, so this looks only for damage: text that is not JSON, and missing
 * `fields`. `what` names the row.
 */
export function storedJson(text: string, what: string, fields: readonly string[] = []) {
  const value = parsed(text, what);
  const missing = fields.find((field) => value?.[field] === undefined);
  if (missing !== undefined) throw damaged(what, `${missing} is missing`);
  return value;
}

function parsed(text: string, what: string) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw damaged(what, 'it is not valid JSON', error);
  }
}

/** What a row contains, in the current shape, if an older version or another program may have written it. */
export function stored<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw damaged(what, issue ? `${issue.path.join('.')}: ${issue.message}` : 'wrong value');
}

export function damaged(what: string, why: string, cause?: unknown): FermataError {
  return new FermataError(
    'damaged',
    `This version of Fermata cannot read ${what} in the ledger (${why}). Restore a backup, or report it.`,
    { cause },
  );
}

const times = new Map<number, string>();

/** Cached, because everything in a transaction happens at the same time. */
export function iso(ms: number): string {
  const known = times.get(ms);
  if (known !== undefined) return known;
  const text = new Date(ms).toISOString();
  if (times.size >= 100) times.clear();
  times.set(ms, text);
  return text;
}

const PAGE = 1000;

/** Reads all pages of a list; `read` gets the last row of the previous page. */
export async function allRows<Row>(
  read: (limit: number, last: Row | undefined) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const page = await read(PAGE, rows.at(-1));
    rows.push(...page);
    if (page.length < PAGE) return rows;
  }
}

/** The store's clock. Clocks of machines differ, and all of them compare with stored times. */
export async function selectNow(runner: SqlRunner): Promise<number> {
  const [row] = await runner.sql<{ now: number }>(
    runner.dialect === 'sqlite'
      ? "select cast(unixepoch('subsec') * 1000 as integer) as now"
      : 'select (extract(epoch from clock_timestamp()) * 1000)::bigint as now',
  );
  return row?.now ?? Date.now();
}

/** Where a page of a time-ordered list ended. */
export interface Cursor {
  at: number;
  id: string;
}

/** Takes the time in its displayed form. */
export const writeCursor = (time: string, id: string) => `${Date.parse(time)}.${id}`;

export function readCursor(cursor: string): Cursor {
  const [, at, id] = /^(\d{1,16})\.(.{1,200})$/.exec(cursor) ?? [];
  if (at === undefined || id === undefined) throw noCursor(cursor);
  return { at: Number(at), id };
}

export function noCursor(cursor: string): FermataError {
  return new FermataError('invalid', `"${cursor}" is not a valid cursor. Use "next" from the previous page.`);
}
