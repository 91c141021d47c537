import * as z from 'zod';
import { fixedAgentNames } from './agent-name.ts';
import { limits } from './limits.ts';
import { ReviewRecord } from './phase-record.ts';
import { workers } from './workers-input.ts';

/** How work on a plan ended. */
export const PlanRunResult = z.enum(['done', 'waiting', 'failed', 'interrupted']);
export type PlanRunResult = z.infer<typeof PlanRunResult>;

/** Work that workers do, because a person queued it for them or the hub has no folder of the project. */
const WorkersView = z.object({
  /** Whether a person has queued it for them. */
  queued: z.boolean(),
  /** Where they work, as far as known. If null, specify it when you start the work. */
  branch: z.string().nullable(),
  remote: z.string().nullable(),
  /** Why no worker takes it: `waits for a worker with codex`. */
  wait: z.string().nullable(),
});

/** Work on a plan by a hub. */
export const PlanRunView = z.object({
  plan: z.string(),
  running: z.boolean(),
  /** How it last ended in this hub; null while it runs and before it first ended. */
  result: PlanRunResult.nullable(),
  /** Why it stopped, if it did. */
  error: z.string().nullable(),
  /** Set if workers do it. */
  workers: WorkersView.optional(),
});
export type PlanRunView = z.infer<typeof PlanRunView>;

export const PhaseReviewView = PlanRunView.extend({
  phase: z.string(),
  /** The last review of the phase, whoever started it. */
  review: ReviewRecord.nullable(),
});

const model = z.string().min(1).max(limits.id).optional();
const agent = z.enum(fixedAgentNames).optional();
const writer = { agent: agent.describe('Default: claude.'), model, workers };

/** Asks a hub to run a plan. The plan and the configuration decide the rest. */
export const PlanRunInput = z.strictObject({
  agent: agent.describe('Default: the agent of the last run of this plan, else claude.'),
  model,
  parallel: z.number().int().min(1).max(64).optional().describe('How many agents work at once.'),
  workers,
});
export type PlanRunInput = z.infer<typeof PlanRunInput>;

/** Asks a hub to have a plan written from an idea. */
export const PlanDraftInput = z.strictObject({
  idea: z.string().trim().min(1).max(500_000),
  adaptive: z.boolean().optional().describe('Whether the agent asks instead of assuming.'),
  ...writer,
});

/** Asks a hub to convert a free-form plan. */
export const PlanConversionInput = z.strictObject({
  text: z.string().trim().min(1).max(limits.notificationBytes),
  replace: z.boolean().optional().describe('Whether to replace an existing plan, which is kept as a backup.'),
  requireFidelity: z.boolean().optional().describe('Whether to reject a plan that lost something.'),
  ...writer,
});

/** Asks a hub to plan issues from a folder, or else from GitHub. */
export const PlanFromIssuesInput = z.strictObject({
  fromDir: z.string().min(1).max(1000).optional().describe('A folder of Markdown files in the project.'),
  repo: z
    .string()
    .regex(/^[\w.-]{1,100}\/[\w.-]{1,100}$/)
    .optional()
    .describe('`owner/name`. Default: the repository that the project is a clone of.'),
  milestone: z.string().min(1).max(limits.id).optional(),
  label: z.array(z.string().min(1).max(limits.id)).max(20).optional(),
  issue: z.array(z.number().int().min(1)).min(1).max(400).optional().describe('Only these numbers.'),
  limit: z.number().int().min(1).max(400).optional().describe('Only this many of the newest.'),
  maxQuestions: z.number().int().min(0).max(1000).optional().describe('The rest become assumptions.'),
  planAgain: z.boolean().optional().describe('Whether to plan issues that a finished plan covers.'),
  ...writer,
});

/** Asks a hub to have a phase reviewed. */
export const PhaseReviewInput = z.strictObject({
  agent: agent.describe('Default: the configured reviewer, or else an agent other than the author.'),
  model,
  workers,
});
