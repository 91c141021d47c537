import * as z from 'zod';
import { HilConfig } from './autonomy.ts';

export const Project = z.object({
  id: z.string(),
  name: z.string(),
  /** Its folder on this machine; null if only its name is known. */
  root: z.string().nullable(),
  /** The levels that a person has chosen, which override any file; null if nobody has chosen one. */
  hilConfig: HilConfig.partial().nullable(),
  lastEvent: z.number().int(),
  createdAt: z.string(),
});
export type Project = z.infer<typeof Project>;

/** A project in the list of all. */
export const ListedProject = Project.extend({
  /** When something happened in it last; null: nothing yet. */
  lastEventAt: z.string().nullable(),
});
export type ListedProject = z.infer<typeof ListedProject>;
