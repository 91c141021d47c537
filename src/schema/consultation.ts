import * as z from 'zod';
import { By } from './actor.ts';
import { limits } from './limits.ts';

/** Roles that are asked for something once. A Coder's work is a task instead. */
export const ConsultedRole = z.enum(['analyst', 'dreamer', 'planner']);
export type ConsultedRole = z.infer<typeof ConsultedRole>;

/** What the command that began it needs to go on with it. One that came through the hub has nothing yet. */
export const ConsultationData = z.looseObject({
  agent: z
    .object({ agent: z.string(), agentCommand: z.string().optional(), model: z.string().optional() })
    .optional(),
  cwd: z.string().optional(),
  /** Of the planner: the folder of the plan. */
  output: z.string().optional(),
  /** Of the dreamer: the title of the section. */
  section: z.string().optional(),
});
export type ConsultationData = z.infer<typeof ConsultationData>;

/** What came of it. */
export const ConsultationResult = z.looseObject({
  summary: z.string().optional(),
  /** The ids of the tasks that were added. */
  tasks: z.array(z.string()).optional(),
  output: z.string().optional(),
});
export type ConsultationResult = z.infer<typeof ConsultationResult>;

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
  data: ConsultationData,
  /** Null while it is open. */
  result: ConsultationResult.nullable(),
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
  data: ConsultationData.optional(),
});
export type ConsultationInput = z.infer<typeof ConsultationInput>;
