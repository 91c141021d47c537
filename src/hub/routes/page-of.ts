import * as z from 'zod';

/** One row may be as large as thousands of others, so only this many are read before their size is checked. */
const STEP = 50;
/** The most bytes in one response. */
const MAX_BYTES = 8 * 1024 * 1024;

export interface PageQuery<Cursor> {
  limit: number;
  after?: Cursor;
}

export interface Page<Row> {
  data: Row[];
  next?: string;
}

/** A page of at most `limit` rows; it ends early if they are large, and `next` continues there. */
export async function pageOf<Row, Cursor extends string | number>(
  query: PageQuery<Cursor>,
  read: (limit: number, after: Cursor | undefined) => Promise<Row[]>,
  cursorOf: (last: Row) => Cursor,
): Promise<Page<Row>> {
  return pageInSteps<Row, Cursor>(query, async (limit, after) => {
    const rows = await read(limit + 1, after);
    const last = rows[limit - 1];
    return { rows: rows.slice(0, limit), ...(rows.length > limit && last ? { next: cursorOf(last) } : {}) };
  });
}

/** Like `pageOf`, for a list with its own cursor. */
export async function pageInSteps<Row, Cursor extends string | number>(
  { limit, after }: PageQuery<Cursor>,
  read: (limit: number, after: Cursor | undefined) => Promise<{ rows: Row[]; next?: Cursor }>,
): Promise<Page<Row>> {
  const data: Row[] = [];
  let next = after;
  let bytes = 0;
  let isFull: boolean;
  do {
    const step = Math.min(STEP, limit - data.length);
    const page = await read(step, next);
    data.push(...page.rows);
    next = page.next;
    isFull = page.rows.length === step;
    if (data.length < limit) bytes += JSON.stringify(page.rows).length;
  } while (next !== undefined && isFull && data.length < limit && bytes < MAX_BYTES);
  return { data, ...(next === undefined ? {} : { next: String(next) }) };
}

/** Numbers in a query arrive as texts. */
const digits = z
  .string()
  .regex(/^\d{1,15}$/, 'it must be a whole number')
  .transform(Number);

const count = (least: number, most: number) => digits.pipe(z.number().int().min(least).max(most));

const limitOr = (usual: number) =>
  count(1, 1000).default(usual).describe('The maximum number of entries. A page may have fewer.');

export const limit = limitOr(100);
export const eventLimit = limitOr(500);

const NEXT = 'The "next" of the previous page.';

export const after = z.string().optional().describe(NEXT);

/** A cursor like `after`, for lists that continue after a number. */
export const afterNumber = digits.optional().describe(NEXT);

export const afterEvent = count(0, Number.MAX_SAFE_INTEGER)
  .optional()
  .describe('The number of the last event that you have seen, such as the "next" of the previous page.');
