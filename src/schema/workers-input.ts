import * as z from 'zod';
import { limits } from './limits.ts';

/** How to hand work over to workers. */
export const WorkersInput = z.strictObject({
  branch: z
    .string()
    .min(1)
    .max(limits.id)
    .optional()
    .describe('The branch to merge into, or to read from. Default: the last one.'),
  remote: z
    .string()
    .min(1)
    .max(4000)
    .optional()
    .describe(
      'Where workers clone the project from. Default: the remote of its last work order, or else of a clone.',
    ),
  needs: z
    .array(z.string().max(50))
    .max(20)
    .optional()
    .describe('What a worker must have besides the agent.'),
});
export type WorkersInput = z.infer<typeof WorkersInput>;

export const workers = WorkersInput.optional().describe(
  "Leaves the work to workers, even if the hub has the project's folder. Without that folder, workers do it anyway.",
);
