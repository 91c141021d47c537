import type * as z from 'zod';
import { FermataError } from '../../schema/error.ts';

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
