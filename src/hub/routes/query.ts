import * as z from 'zod';

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
