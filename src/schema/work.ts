import * as z from 'zod';
import { By } from './actor.ts';
import { fixedAgentNames } from './agent-name.ts';
import { JudgedIssue } from './judgement.ts';
import { limits } from './limits.ts';
import { MadeFrom } from './made-from.ts';
import { nameOf } from './name.ts';
import { AgentOptions } from './run.ts';
import { type Task, TaskInput, type TaskKind } from './task.ts';

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
const WorkOptions = z.strictObject({
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

/** Where and how a worker does a task that a person queued. */
export const TaskOptions = z.strictObject({
  /** The branch that the work is merged into. What writes files reads it, and its result gets its own branch. */
  featureBranch: z.string().max(limits.id),
  /** Where the repository can be cloned from; without one, only workers on this machine can do it. */
  remote: z.string().max(4096).nullable(),
  options: WorkOptions,
});
export type TaskOptions = z.infer<typeof TaskOptions>;

/** From the top of the repository. */
const path = z.string().max(4096);
const text = z.string().trim().min(1).max(limits.taskBody);
/** What the command that began it needs to continue it. Feedback sent through the hub has neither. */
const begun = { agent: AgentOptions.optional(), cwd: z.string().optional() };

/** What each kind of task is about. What people write for the agent is redacted; the rest is carried out as it is. */
export const taskInputs = {
  task: z.strictObject({}),
  phase: z.strictObject({ plan: path }),
  run: z.strictObject({ plan: path }),
  draft: z.strictObject({
    plan: path,
    idea: z.string().trim().min(1).max(500_000),
    adaptive: z.boolean().optional().describe('Whether the agent asks instead of assuming.'),
    /** The plan's folder gets a progress file as well. */
    progress: z.literal(true).optional(),
    ...begun,
  }),
  convert: z.strictObject({
    plan: path,
    text: z.string().trim().min(1).max(limits.notificationBytes),
    replace: z
      .boolean()
      .optional()
      .describe('Whether to replace an existing plan, which is kept as a backup.'),
    requireFidelity: z.boolean().optional().describe('Whether to reject a plan that lost something.'),
    maxAttempts: attempts,
  }),
  plan_from_issues: z.strictObject({
    plan: path,
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
    maxAttempts: attempts,
  }),
  feedback: z.strictObject({ text, ...begun }),
  prd: z.strictObject({ text, section: z.string().min(1).max(limits.id), ...begun }),
  decompose: z.strictObject({ text, output: z.string(), ...begun }),
  review: z.strictObject({
    plan: path,
    /** The task of the phase. */
    reviews: z.string().max(limits.id),
    /** The branch of the phase; workers review its pushed commits, or without a remote its worktree. */
    branch: z.string().max(1000),
  }),
  /** The issues of a place, which are read again. */
  analyze: z.strictObject({ from: z.string().max(4096) }),
} satisfies Record<TaskKind, z.ZodObject>;

/** What comes with a new task besides its work. */
function added() {
  return {
    ...TaskInput.pick({ dependsOn: true, priority: true }).shape,
    start: StartInput.optional().describe('Starts it at once.'),
  };
}

type Inputs = { [Kind in TaskKind]: z.infer<(typeof taskInputs)[Kind]> };

const none = z.strictObject({});

/** What a finished task of each kind gave. */
export const taskResults = {
  task: none,
  phase: none,
  run: none,
  draft: none,
  convert: none,
  plan_from_issues: MadeFrom,
  feedback: z.strictObject({
    category: z.string().optional(),
    summary: z.string().optional(),
    /** The ids of the tasks that were added. */
    tasks: z.array(z.string()).optional(),
  }),
  prd: z.strictObject({ summary: z.string().optional(), section: z.string().optional() }),
  decompose: z.strictObject({ output: z.string().optional(), files: z.array(z.string()).optional() }),
  review: none,
  analyze: z.strictObject({ issues: z.array(JudgedIssue).max(5000) }),
} satisfies Record<TaskKind, z.ZodObject>;

type Results = { [Kind in TaskKind]: z.infer<(typeof taskResults)[Kind]> };

/** A kind of task with what it is about. */
export type Work = { [Kind in TaskKind]: { kind: Kind; input: Inputs[Kind] } }[TaskKind];
/** What is submitted; plain tasks and phases have their own ways in. */
export type SubmittedWork = Exclude<Work, { kind: 'task' | 'phase' }>;
export type WorkOf<Kind extends TaskKind> = Extract<Work, { kind: Kind }>;

/** A task with everything that is stored about it. */
export type WorkTask<Kind extends TaskKind = TaskKind> = Omit<Task, 'kind'> &
  { [Each in Kind]: { kind: Each; input: Inputs[Each]; result: Results[Each] | null } }[Kind] & {
    /** Who asked for it. */
    requestedBy: By | null;
    /** How workers do it; null if nobody queued it for them. */
    options: TaskOptions | null;
  };

export type RoleKind = 'feedback' | 'prd' | 'decompose';

export type ResultOf<Kind extends TaskKind> = Results[Kind];

/** What a person asked workers to do. */
export interface QueueOrder {
  projectId: string;
  /** The beginning of its tasks' ids, or the id of its only task. */
  scope: string;
  needs: string[];
  work: Work;
  options: TaskOptions;
  by: By;
  at: string;
}

export const Placing = z.strictObject({
  projectId: z.string(),
  scope: z.string().min(1).max(limits.id),
  needs: Abilities,
  options: TaskOptions,
});
export type Placing = z.infer<typeof Placing>;

/** How to hand work over to workers. */
const WorkersInput = z.strictObject({
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
    .describe('Where workers clone the project from. Default: as it was last queued, or else of a clone.'),
  needs: Abilities.optional().describe('What a worker must have besides the agent.'),
});

/** Asks a hub to have agents work on a task. */
export const StartInput = z.strictObject({
  agent: z.enum(fixedAgentNames).optional().describe('Default: the agent that began it, else claude.'),
  model: z.string().min(1).max(limits.id).optional(),
  into: z
    .string()
    .min(1)
    .max(limits.id)
    .optional()
    .describe('The branch to merge a task into. Default: the one that is checked out.'),
  workers: WorkersInput.optional().describe(
    "Leaves it to workers, even if the hub has the project's folder. Without that folder, workers do it anyway.",
  ),
});
export type StartInput = z.infer<typeof StartInput>;

/** A new task of another kind than `task`, sent to a hub. */
export const NewWork = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('run'), input: taskInputs.run, ...added() }),
  z.strictObject({
    kind: z.literal('draft'),
    input: taskInputs.draft.pick({ plan: true, idea: true, adaptive: true }),
    ...added(),
  }),
  z.strictObject({ kind: z.literal('convert'), input: taskInputs.convert, ...added() }),
  z.strictObject({ kind: z.literal('plan_from_issues'), input: taskInputs.plan_from_issues, ...added() }),
  z.strictObject({ kind: z.literal('review'), input: taskInputs.review.pick({ reviews: true }), ...added() }),
  z.strictObject({
    kind: z.literal('feedback'),
    input: taskInputs.feedback.pick({ text: true }),
    ...added(),
  }),
  z.strictObject({
    kind: z.literal('prd'),
    input: taskInputs.prd.pick({ text: true, section: true }),
    ...added(),
  }),
  z.strictObject({
    kind: z.literal('decompose'),
    input: taskInputs.decompose.pick({ text: true, output: true }),
    ...added(),
  }),
]);
export type NewWork = z.infer<typeof NewWork>;

/** What a person says about the product, for the Analyst. */
export const Feedback = z.object({
  id: z.string(),
  projectId: z.string(),
  /** What the person wrote. */
  text: z.string(),
  status: z.enum(['open', 'done']),
  /** Null until it is done. */
  result: taskResults.feedback.nullable(),
  createdAt: z.string(),
  createdBy: By.nullable(),
  updatedAt: z.string(),
});
export type Feedback = z.infer<typeof Feedback>;

export const FeedbackInput = z.strictObject({ text });

export function toFeedback(task: WorkTask<'feedback'>): Feedback {
  const { id, projectId, input, status, result, createdAt, requestedBy, updatedAt } = task;
  const done = status === 'closed' || result !== null ? 'done' : 'open';
  return {
    id,
    projectId,
    text: input.text,
    status: done,
    result,
    createdAt,
    createdBy: requestedBy,
    updatedAt,
  };
}

export const WorkerInput = z.strictObject({
  /** The process, by the name in its claims; after an `@` if it serves only some tasks. */
  id: z.string().max(limits.id),
  /** The machine and folder where the worker keeps its clones and its agents keep their sessions. */
  home: z.string().max(limits.id),
  name: nameOf(limits.id),
  host: nameOf(limits.id),
  abilities: Abilities,
  slots: z.number().int().positive(),
  /** The only projects that it serves; null for all. */
  projects: z.array(z.string()).nullable(),
  /** How the ids of the only tasks that it serves begin; without it, it takes whatever is queued. */
  within: z.string().max(limits.id).optional(),
  version: z.string().max(limits.id),
});
export type WorkerInput = z.infer<typeof WorkerInput>;

/** A process that takes work, and when it was last heard of. */
export const Worker = WorkerInput.extend({ startedAt: z.string(), seenAt: z.string() });
export type Worker = z.infer<typeof Worker>;
