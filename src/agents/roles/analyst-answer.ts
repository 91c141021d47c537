import * as z from 'zod';
import { limits } from '../../schema/limits.ts';
import { isOrdered, NOT_ORDERED } from './ordered.ts';
import { type RoleAnswer, readAnswer } from './role-answer.ts';

const MAX_TASKS = 50;

const Task = z.object({
  title: z.string().trim().min(1).max(limits.taskTitle),
  body: z.string().max(limits.taskBody).catch(''),
  priority: z.number().int().min(0).max(4).catch(2),
  dependsOn: z.array(z.number()).catch([]),
});

const Answer = z.object({
  category: z.string().trim().max(100).catch('other'),
  summary: z.string().trim().max(limits.reason).catch(''),
  tasks: z
    .array(Task)
    .min(1, 'give at least one task, or questions')
    .max(MAX_TASKS)
    .refine(isOrdered, NOT_ORDERED),
});
export type AnalystAnswer = z.infer<typeof Answer>;

/** What the Analyst makes of feedback: either questions or tasks. */
export const readAnalyst = (text: string): RoleAnswer<AnalystAnswer> => readAnswer(text, 'tasks', Answer);
