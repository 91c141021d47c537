import * as z from 'zod';
import { errorCodes } from './error.ts';

/** An error as a program gets it. */
export const ErrorBody = z.object({
  error: z.object({ code: z.enum(errorCodes), message: z.string(), details: z.unknown().optional() }),
});
