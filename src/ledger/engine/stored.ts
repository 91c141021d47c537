import type * as z from 'zod';
import { FermataError } from '../../schema/error.ts';

/** What a row contains, in the current shape; `what` names it if it cannot be read. */
export function stored<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue ? `${issue.path.join('.')}: ${issue.message}` : 'wrong value';
  throw new FermataError(
    'damaged',
    `This version of Fermata cannot read ${what} in the ledger (${where}). Restore a backup, or report it.`,
  );
}
