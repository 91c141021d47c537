import * as z from 'zod';
import { By } from './actor.ts';
import { limits } from './limits.ts';
import { AgentOptions } from './run.ts';

/** Roles that get one request at a time. A Coder's work is a task instead. */
export const ConsultedRole = z.enum(['analyst', 'dreamer', 'planner']);
export type ConsultedRole = z.infer<typeof ConsultedRole>;

/** What the command that began it needs to continue it. Feedback sent through the hub has neither. */
const begun = { agent: AgentOptions.optional(), cwd: z.string().optional() };

const AnalystData = z.object(begun);
const DreamerData = z.object({ ...begun, section: z.string().describe('The title of the section.') });
const PlannerData = z.object({ ...begun, output: z.string().describe("The plan's folder.") });

const AnalystResult = z.object({
  category: z.string().optional(),
  summary: z.string().optional(),
  /** The ids of the tasks that were added. */
  tasks: z.array(z.string()).optional(),
});
const DreamerResult = z.object({ summary: z.string().optional(), section: z.string().optional() });
const PlannerResult = z.object({ output: z.string().optional(), files: z.array(z.string()).optional() });

const kept = {
  id: z.string(),
  projectId: z.string(),
  /** What it is about: the section of a PRD, the plan; for feedback its own id. */
  subject: z.string(),
  /** What the person wrote. */
  text: z.string(),
  status: z.enum(['open', 'done']),
  createdAt: z.string(),
  createdBy: By,
  updatedAt: z.string(),
};

/** What a person says about the product, for the Analyst. `result` is null until it is done, here and below. */
export const Feedback = z.object({
  ...kept,
  role: z.literal('analyst'),
  data: AnalystData,
  result: AnalystResult.nullable(),
});
export type Feedback = z.infer<typeof Feedback>;

/** One request to a role. It stays open, over any number of questions and crashes, until it is done. */
export const Consultation = z.discriminatedUnion('role', [
  Feedback,
  z.object({ ...kept, role: z.literal('dreamer'), data: DreamerData, result: DreamerResult.nullable() }),
  z.object({ ...kept, role: z.literal('planner'), data: PlannerData, result: PlannerResult.nullable() }),
]);
export type Consultation = z.infer<typeof Consultation>;

export type ConsultationOf<Role extends ConsultedRole> = Extract<Consultation, { role: Role }>;

const subject = z.string().min(1).max(limits.id);
const given = { projectId: z.string(), text: z.string().trim().min(1).max(limits.taskBody) };

export const FeedbackInput = z.strictObject({
  ...given,
  role: z.literal('analyst'),
  data: AnalystData.optional(),
});

export const ConsultationInput = z.discriminatedUnion('role', [
  FeedbackInput,
  z.strictObject({ ...given, role: z.literal('dreamer'), subject, data: DreamerData }),
  z.strictObject({ ...given, role: z.literal('planner'), subject, data: PlannerData }),
]);
export type ConsultationInput = z.infer<typeof ConsultationInput>;

const changed = { id: kept.id, subject: kept.subject, status: kept.status };

/** What the history says about a consultation. */
export const ConsultationChange = z.discriminatedUnion('role', [
  z.object({ ...changed, role: z.literal('analyst'), result: AnalystResult.nullable().optional() }),
  z.object({ ...changed, role: z.literal('dreamer'), result: DreamerResult.nullable().optional() }),
  z.object({ ...changed, role: z.literal('planner'), result: PlannerResult.nullable().optional() }),
]);
export type ConsultationChange = z.infer<typeof ConsultationChange>;
