import * as z from 'zod';
import { HilConfig } from './autonomy.ts';

export const Project = z.object({
  id: z.string(),
  name: z.string(),
  /** Where it lies on this machine; null for one that is only known by name. */
  root: z.string().nullable(),
  /** The levels that a person has chosen, which go before any file; null where nobody has chosen one. */
  hilConfig: HilConfig.partial().nullable(),
  lastEvent: z.number().int(),
  createdAt: z.string(),
});
export type Project = z.infer<typeof Project>;
