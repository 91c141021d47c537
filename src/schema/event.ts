import * as z from 'zod';
import { By } from './actor.ts';

export const EventType = z.enum([
  'notification.added',
  'notification.updated',
  'notification.resolved',
  'task.updated',
  'run.event',
  'worktree.updated',
  'consultation.updated',
  'settings.updated',
]);
export type EventType = z.infer<typeof EventType>;

/** One line of a project's history. Numbers start at 1 and have no gaps. */
export const Event = z.object({
  number: z.number().int(),
  projectId: z.string(),
  at: z.string(),
  type: EventType,
  by: By,
  data: z.record(z.string(), z.unknown()),
});
export type Event = z.infer<typeof Event>;
