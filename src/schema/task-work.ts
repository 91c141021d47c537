import * as z from 'zod';
import { fixedAgentNames } from './agent-name.ts';
import { limits } from './limits.ts';
import { PlanRunView } from './plan-run.ts';
import { workers } from './workers-input.ts';

/** Work of a hub's agents on something other than a plan. */
const HubWorkView = PlanRunView.omit({ plan: true });
export type HubWorkView = z.infer<typeof HubWorkView>;

/** Work on a task without a plan by a hub. */
export const TaskWorkView = HubWorkView.extend({ task: z.string() });

/** Work on feedback by a hub. */
export const FeedbackWorkView = HubWorkView.extend({ feedback: z.string() });

const agent = z.enum(fixedAgentNames).optional();
const model = z.string().min(1).max(limits.id).optional();

/** Asks a hub to have a task worked on. */
export const TaskWorkInput = z.strictObject({
  agent: agent.describe('Default: the agent of the last run of this task, else claude.'),
  model,
  into: z
    .string()
    .min(1)
    .max(limits.id)
    .optional()
    .describe('The branch to merge into. Default: the one that is checked out.'),
  workers,
});

/** Asks a hub to have feedback turned into tasks. */
export const FeedbackWorkInput = z.strictObject({
  agent: agent.describe('Default: claude.'),
  model,
  workers,
});
