import * as z from 'zod';
import { HilConfig } from './autonomy.ts';

export const Project = z.object({
  id: z.string(),
  name: z.string(),
  /** Where it lies on this machine; null for one that is only known by name. */
  root: z.string().nullable(),
  /** Null until a person has chosen: the default applies. */
  hilConfig: HilConfig.nullable(),
  lastEvent: z.number().int(),
  createdAt: z.string(),
});
export type Project = z.infer<typeof Project>;
