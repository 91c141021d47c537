import * as z from 'zod';
import { By } from './actor.ts';
import { fixedAgentNames } from './agent-name.ts';
import { limits } from './limits.ts';
import { nameOf } from './name.ts';
import { PlanConversionInput, PlanDraftInput, PlanFromIssuesInput } from './plan-run.ts';

/** Something that a machine has and a task may need: an agent (`codex`), or whatever people call it (`gpu`). */
const Ability = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9-]{0,49}$/,
    'an ability has lowercase letters, digits and hyphens, such as codex or gpu',
  );

const Abilities = z.array(Ability).max(20);

const ms = z.number().int().positive().optional();
const attempts = z.number().int().min(1).max(20).optional();

/** How to do the work: the options of `fermata run`. */
export const WorkOptions = z.strictObject({
  agent: z.string().max(limits.id),
  skipAudit: z.boolean().optional(),
  agentCommand: z.string().max(4096).optional(),
  model: z.string().max(limits.id).optional(),
  allow: z.array(z.string().max(limits.id)).max(100).optional(),
  review: z.boolean().optional(),
  sandbox: z.boolean().optional(),
  gateTimeoutMs: ms,
  timeoutMs: ms,
  parkAfterMs: ms,
  backgroundWaitMs: ms,
});

const common = {
  /** The branch that the work is merged into. An assignment reads it, and its result gets its own branch. */
  featureBranch: z.string().max(limits.id),
  /** Where the repository can be cloned from; without one, only workers on this machine can do it. */
  remote: z.string().max(4096).nullable(),
  options: WorkOptions,
};

/** From the top of the repository. */
const path = z.string().max(4096);

/** The phases of a plan. */
const PlanWork = z.strictObject({ kind: z.literal('plan'), plan: path, ...common });

/** A plan whose phases the ledger does not know yet: a worker reads it, and queues them. */
const StartWork = z.strictObject({ kind: z.literal('start'), plan: path, ...common });

/** One task without a plan. */
const TaskWork = z.strictObject({ kind: z.literal('task'), ...common });

/** A role; the consultation has the request. */
const RoleWork = z.strictObject({
  kind: z.literal('role'),
  consultation: z.string().max(limits.id),
  ...common,
});

const DraftWork = z.strictObject({
  kind: z.literal('draft'),
  plan: path,
  ...PlanDraftInput.pick({ idea: true, adaptive: true }).shape,
  ...common,
});

const ConversionWork = z.strictObject({
  kind: z.literal('conversion'),
  plan: path,
  ...PlanConversionInput.pick({ text: true, replace: true, requireFidelity: true }).shape,
  maxAttempts: attempts,
  ...common,
});

const IssuesWork = z.strictObject({
  kind: z.literal('issues'),
  plan: path,
  ...PlanFromIssuesInput.omit({ agent: true, model: true, workers: true }).shape,
  maxAttempts: attempts,
  ...common,
});

/** A review of the pushed commits of a phase; without a remote, of its worktree. */
const ReviewWork = z.strictObject({
  kind: z.literal('review'),
  plan: path,
  /** The task of the phase. */
  reviews: z.string().max(limits.id),
  /** The branch of the phase. */
  branch: z.string().max(1000),
  ...common,
});
export type ReviewWork = z.infer<typeof ReviewWork>;

export const Work = z.discriminatedUnion('kind', [
  PlanWork,
  StartWork,
  TaskWork,
  RoleWork,
  DraftWork,
  ConversionWork,
  IssuesWork,
  ReviewWork,
]);
export type Work = z.infer<typeof Work>;

/** Work that is not an existing task: the order adds its own task, so that one worker takes it. */
export type AssignmentWork = Exclude<Work, { kind: 'plan' | 'task' }>;

/** Assignments whose result is what an agent answers. */
export type AnsweredWork = Exclude<AssignmentWork, { kind: 'start' | 'review' }>;

export const isAssignment = (work: Work): work is AssignmentWork =>
  work.kind !== 'plan' && work.kind !== 'task';

const asked = {
  projectId: z.string(),
  /** The beginning of its tasks' ids, or the id of its only task. */
  scope: z.string().min(1).max(limits.id),
  needs: Abilities,
  work: Work,
};

export const WorkOrderInput = z.strictObject({
  ...asked,
  /** The title of the task that an assignment adds. */
  title: z.string().min(1).max(limits.taskTitle).optional(),
});
export type WorkOrderInput = z.infer<typeof WorkOrderInput>;

/** What a person asked workers to do. */
export const WorkOrder = z.object({ ...asked, by: By, at: z.string() });
export type WorkOrder = z.infer<typeof WorkOrder>;

/** Asks a hub to queue a plan or a task for workers. */
export const QueueInput = z.strictObject({
  agent: z.enum(fixedAgentNames).optional().describe('Default: claude.'),
  model: z.string().min(1).max(limits.id).optional(),
  branch: z
    .string()
    .min(1)
    .max(limits.id)
    .optional()
    .describe('The branch to merge into. Default: the one that the work was started or last queued for.'),
  remote: z
    .string()
    .min(1)
    .max(4000)
    .optional()
    .describe("Where workers clone the project from. Default: the one of the project's last work order."),
  needs: Abilities.optional().describe('What a worker must have besides the agent.'),
});
export type QueueInput = z.infer<typeof QueueInput>;

export const WorkerInput = z.strictObject({
  /** The process, by the name in its claims. */
  id: z.string().max(limits.id),
  /** The machine and folder where the worker keeps its clones and its agents keep their sessions. */
  home: z.string().max(limits.id),
  name: nameOf(limits.id),
  host: nameOf(limits.id),
  abilities: Abilities,
  slots: z.number().int().positive(),
  /** The only projects that it serves; null for all. */
  projects: z.array(z.string()).nullable(),
  version: z.string().max(limits.id),
});
export type WorkerInput = z.infer<typeof WorkerInput>;

/** A process that takes work, and when it was last heard of. */
export const Worker = WorkerInput.extend({ startedAt: z.string(), seenAt: z.string() });
export type Worker = z.infer<typeof Worker>;
