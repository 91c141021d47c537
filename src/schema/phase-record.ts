import * as z from 'zod';
import { By } from './actor.ts';

/** What is written down about a phase while it is worked on. */
export const PhaseRecordKind = z.enum(['started', 'implementation', 'review', 'gates', 'failed']);
export type PhaseRecordKind = z.infer<typeof PhaseRecordKind>;

/** One entry in the log of a phase at work. Nothing is ever changed in it. */
export const PhaseRecord = z.object({
  id: z.number().int(),
  taskId: z.string(),
  kind: PhaseRecordKind,
  iteration: z.number().int(),
  /** Of `started`: the branch on which it is worked on. */
  branch: z.string().nullable(),
  data: z.record(z.string(), z.unknown()),
  at: z.string(),
  by: By,
});
export type PhaseRecord = z.infer<typeof PhaseRecord>;

export type NewPhaseRecord = Pick<PhaseRecord, 'kind' | 'iteration' | 'data'> & { branch?: string };
