import * as z from 'zod';
import { Task } from '../schema/task.ts';
import type { Caller } from './auth/caller.ts';
import { isHolder } from './routes/task-holder.ts';

/** A task as the API returns it: its reason also has the name that older programs expect. */
export const TaskView = Task.extend({
  fence: Task.shape.fence.optional().describe('An agent sees only the fence of its own claim.'),
  block_reason: z.string().nullable(),
});
export type TaskView = z.infer<typeof TaskView>;

/** Only the claimant sees the fence of a claim, because an agent that has it could overwrite another's work. */
export function taskView(caller: Caller, task: Task): TaskView {
  const { fence, ...rest } = task;
  const view = { ...rest, block_reason: task.blockReason };
  return isHolder(caller, task) ? { ...view, fence } : view;
}
