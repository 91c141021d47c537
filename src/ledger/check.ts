import type * as z from 'zod';
import { FermataError } from '../schema/error.ts';

/** Validates what crosses the boundary; the error names the field and what is wrong with it. */
export function check<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue && issue.path.length > 0 ? `, field ${issue.path.join('.')}` : '';
  throw new FermataError('invalid', `${what}${field}: ${issue?.message ?? 'wrong value'}.`, {
    details: result.error.issues,
  });
}
