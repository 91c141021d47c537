import * as z from 'zod';
import { By } from './actor.ts';
import { limits } from './limits.ts';

/** Roles that are asked for something once. A Coder's work is a task instead. */
export const ConsultedRole = z.enum(['analyst', 'dreamer', 'planner']);
export type ConsultedRole = z.infer<typeof ConsultedRole>;

/** One thing that a role was asked to do: it is open, over any number of questions and crashes, until it is done. */
export const Consultation = z.object({
  id: z.string(),
  projectId: z.string(),
  role: ConsultedRole,
  /** What it is about: the section of a PRD, the plan; for feedback its own id. */
  subject: z.string(),
  /** What the person wrote. */
  text: z.string(),
  status: z.enum(['open', 'done']),
  /** What the command that began it needs to go on with it. */
  data: z.record(z.string(), z.unknown()),
  /** What came of it; null while it is open. */
  result: z.record(z.string(), z.unknown()).nullable(),
  createdAt: z.string(),
  createdBy: By,
  updatedAt: z.string(),
});
export type Consultation = z.infer<typeof Consultation>;

export const ConsultationInput = z.strictObject({
  projectId: z.string(),
  role: ConsultedRole,
  subject: z.string().min(1).max(limits.id).optional(),
  text: z.string().trim().min(1).max(limits.taskBody),
  data: z.record(z.string(), z.unknown()).optional(),
});
export type ConsultationInput = z.infer<typeof ConsultationInput>;
