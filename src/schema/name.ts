import * as z from 'zod';
import { visibleProse } from './visible.ts';

/** A name that people read in lists: one line, in which every character can be seen. */
export const nameOf = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .refine((name) => !/[\n\t]/.test(name) && visibleProse(name) === name, {
      error: 'a name is one line without control characters',
      abort: true,
    });
