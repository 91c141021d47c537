import type * as z from 'zod';
import { FermataError } from '../schema/error.ts';

/** Validates what crosses the boundary; the error names the field and what is wrong with it. */
export function check<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue && issue.path.length > 0 ? `, field ${issue.path.join('.')}` : '';
  throw new FermataError('invalid', `${what}${field}: ${explain(issue)}.`, {
    details: result.error.issues,
  });
}

/** The commonest mistakes in plain words. */
function explain(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'too_small' && issue.origin === 'string') return 'it is empty';
  if (issue?.code === 'too_big' && issue.origin === 'string')
    return `it is longer than ${issue.maximum} characters`;
  return issue?.message ?? 'wrong value';
}
