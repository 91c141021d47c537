import * as z from 'zod';
import { FermataError } from '../../schema/error.ts';
import { Answer } from '../../schema/question.ts';

const Entry = z
  .object({ id: z.string().optional(), question: z.string().optional(), answer: Answer.nullish() })
  .refine(({ id, question }) => id !== undefined || question !== undefined, {
    message: 'it needs an "id" or a "question"',
  });
/** `questions` is what `--questions-only` printed, with an `answer` in each. */
const File = z.union([z.object({ answers: z.array(Entry) }), z.object({ questions: z.array(Entry) })]);

export interface FileAnswer {
  id: string | undefined;
  question: string | undefined;
  answer: Answer;
}

/** Reads a file of answers. Entries without an answer are left to the other channels. */
export function readAnswersFile(text: string, file: string): FileAnswer[] {
  const result = File.safeParse(parsed(text, file));
  if (!result.success) {
    throw new FermataError(
      'invalid',
      `${file} is no file of answers. It looks like this: {"answers":[{"id":"scope-4","answer":"…"},{"question":"…","answer":"…"}]}`,
      { details: result.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })) },
    );
  }
  const entries = 'answers' in result.data ? result.data.answers : result.data.questions;
  return entries.flatMap(({ id, question, answer }) =>
    answer === null || answer === undefined ? [] : [{ id, question, answer }],
  );
}

/** By id, else by the exact text; of several the last one. */
export function answerFor(
  { id, question }: { id: string; question: string },
  answers: readonly FileAnswer[],
): FileAnswer | undefined {
  return (
    answers.findLast((each) => each.id === id) ??
    answers.findLast((each) => each.id === undefined && each.question === question)
  );
}

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new FermataError('invalid', `${file} is no JSON: ${(cause as Error).message}.`, { cause });
  }
}
