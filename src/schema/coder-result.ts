import * as z from 'zod';
import { limits } from './limits.ts';

const questions = z.array(z.unknown()).max(limits.questions);

/** What a Coder says at the end of its work. Questions make its task wait, whatever `status` says. */
export const CoderResult = z.object({
  status: z
    .string()
    .trim()
    .toLowerCase()
    .pipe(
      z.enum([
        'success',
        'succeeded',
        'complete',
        'completed',
        'done',
        'ok',
        'failed',
        'failure',
        'fail',
        'error',
        'partial',
        'blocked',
      ]),
    ),
  summary: z.string().max(limits.chatText).optional(),
  filesChanged: z.array(z.string()).optional(),
  testsWritten: z.number().optional(),
  testsPassed: z.number().optional(),
  notes: z.string().max(limits.chatText).optional(),
  open_questions: questions.optional(),
  openQuestions: questions.optional(),
});
export type CoderResult = z.infer<typeof CoderResult>;
