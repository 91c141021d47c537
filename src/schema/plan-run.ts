import * as z from 'zod';

/** How work ended. */
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

/** How far the work on a task is, or that on the phases of a plan, whoever does it. */
export const TaskProgress = z.object({
  /** An agent works on it or waits for an answer, or it is queued. */
  running: z.boolean(),
  /** How it last ended; null while it runs and before it first ended. */
  result: PlanRunResult.nullable(),
  /** Why it stopped, if it did. */
  error: z.string().nullable(),
  /** Set if workers do it. */
  workers: WorkersView.optional(),
});
export type TaskProgress = z.infer<typeof TaskProgress>;
