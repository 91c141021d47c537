import * as z from 'zod';
import { fixedAgentNames } from './agent-name.ts';
import { limits } from './limits.ts';

/** How a run of a plan ended. */
export const PlanRunResult = z.enum(['done', 'waiting', 'failed', 'interrupted']);
export type PlanRunResult = z.infer<typeof PlanRunResult>;

/** A run of a plan by a hub. */
export const PlanRunView = z.object({
  plan: z.string(),
  running: z.boolean(),
  /** How the last one in this hub ended; null while it runs, and before. */
  result: PlanRunResult.nullable(),
  /** Why it broke off, if it did. */
  error: z.string().nullable(),
});
export type PlanRunView = z.infer<typeof PlanRunView>;

/** How a hub is told to run a plan. The rest is as the plan and the configuration say. */
export const PlanRunInput = z.strictObject({
  agent: z
    .enum(fixedAgentNames)
    .optional()
    .describe('Default: the agent of the last run of this plan, else claude.'),
  model: z.string().min(1).max(limits.id).optional(),
  parallel: z.number().int().min(1).max(64).optional().describe('How many agents work at once.'),
});
export type PlanRunInput = z.infer<typeof PlanRunInput>;
