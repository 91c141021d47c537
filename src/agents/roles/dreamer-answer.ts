import * as z from 'zod';
import { limits } from '../../schema/limits.ts';
import { type RoleAnswer, readAnswer } from './role-answer.ts';

const Answer = z.object({
  content: z.string().trim().min(1, 'the section would be empty').max(limits.taskBody),
  summary: z.string().trim().max(limits.reason).catch(''),
});
export type DreamerAnswer = z.infer<typeof Answer>;

/** What the Dreamer makes of a wish: questions, or the new text of the section. */
export const readDreamer = (text: string): RoleAnswer<DreamerAnswer> => readAnswer(text, 'content', Answer);
