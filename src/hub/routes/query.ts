import * as z from 'zod';

/** Numbers in a query arrive as texts. */
export const count = (most: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'it must be a whole number')
    .transform(Number)
    .pipe(z.number().int().max(most));

export const limit = count(1000)
  .pipe(z.number().min(1))
  .optional()
  .describe('The maximum number of entries, up to 1000.');

export const after = z.string().optional().describe('The "next" of the previous page.');
