import * as z from 'zod';
import { Task } from '../schema/task.ts';
import type { Caller } from './auth/caller.ts';
import { isHolder } from './routes/task-holder.ts';

/** A task as the API gives it: its reason also under the name that older programs look for. */
export const TaskView = Task.extend({
  fence: Task.shape.fence.optional().describe('An agent sees only the fence of its own claim.'),
  block_reason: z.string().nullable(),
});
export type TaskView = z.infer<typeof TaskView>;

/** The number of a claim is a matter of who made it: with it an agent could write over the work of another. */
export function taskView(caller: Caller, task: Task): TaskView {
  const { fence, ...rest } = task;
  const view = { ...rest, block_reason: task.blockReason };
  return isHolder(caller, task) ? { ...view, fence } : view;
}
