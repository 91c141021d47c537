import * as z from 'zod';
import { limits } from './limits.ts';

const Status = z
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
  );

const questions = z.unknown().optional().describe('A list of questions: strings, or objects with a "text".');

/**
 * What a Coder says at the end of its work. Questions make its task wait, whatever `status` says. A field of a wrong shape
 * is left out, so that it cannot lose a question or the report that the work is done.
 */
export const CoderResult = z.object({
  status: Status.optional().catch(undefined),
  summary: z.string().max(limits.chatText).optional().catch(undefined),
  filesChanged: z.array(z.string()).optional().catch(undefined),
  testsWritten: z.number().optional().catch(undefined),
  testsPassed: z.number().optional().catch(undefined),
  notes: z.string().max(limits.chatText).optional().catch(undefined),
  open_questions: questions,
  openQuestions: questions,
});
export type CoderResult = z.infer<typeof CoderResult>;
