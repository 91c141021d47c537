import * as z from 'zod';
import { isOrdered, NOT_ORDERED } from './ordered.ts';
import { type RoleAnswer, readAnswer } from './role-answer.ts';

/** A phase that needs more tasks should be split. */
export const MAX_TASKS = 15;
const MAX_PHASES = 100;

const line = z
  .string()
  .max(2000)
  .transform((text) => text.replace(/\s+/g, ' ').trim())
  .refine((text) => text !== '', 'it is empty');

const Tasks = z.array(line).superRefine((tasks, context) => {
  const excess = tasks.length - MAX_TASKS;
  if (tasks.length === 0) context.addIssue('a phase needs at least one task');
  if (excess > 0)
    context.addIssue(
      `a phase has ${tasks.length} tasks, ${excess} more than the limit of ${MAX_TASKS}; split it`,
    );
});

const Phase = z.object({
  title: line,
  dependsOn: z.array(z.number()).catch([]),
  tasks: Tasks,
  gates: z
    .array(z.object({ name: line, command: line }))
    .max(50)
    .catch([]),
  criteria: z.array(line).max(200).catch([]),
});

const Answer = z.object({
  title: line,
  overview: z.string().trim().max(100_000).catch(''),
  phases: z
    .array(Phase)
    .min(1, 'give at least one phase, or questions')
    .max(MAX_PHASES)
    .refine(isOrdered, NOT_ORDERED),
});
export type PlannerAnswer = z.infer<typeof Answer>;

/** What the Planner makes of a plan: questions, or its phases with their tasks. */
export const readPlanner = (text: string): RoleAnswer<PlannerAnswer> => readAnswer(text, 'phases', Answer);
