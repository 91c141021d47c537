import * as z from 'zod';
import { parseJson } from '../../config/parse-json.ts';
import { FermataError } from '../../schema/error.ts';
import { Answer } from '../../schema/question.ts';

const Entry = z
  .object({ id: z.string().optional(), question: z.string().optional(), answer: Answer.nullish() })
  .refine(({ id, question }) => id !== undefined || question !== undefined, {
    message: 'it needs an "id" or a "question"',
  });
const Answers = z.object({ answers: z.array(Entry) });
/** What `--questions-only` printed, with an `answer` in each. */
const Questions = z
  .object({ questions: z.array(Entry) })
  .transform(({ questions }) => ({ answers: questions }));

export interface FileAnswer {
  id: string | undefined;
  question: string | undefined;
  answer: Answer;
}

/** Reads a file of answers. Entries without an answer are left to the other channels. */
export function readAnswersFile(text: string, file: string): FileAnswer[] {
  const value = parseJson(text, file);
  const isQuestions =
    typeof value === 'object' && value !== null && 'questions' in value && !('answers' in value);
  const result = (isQuestions ? Questions : Answers).safeParse(value);
  if (!result.success) {
    const details = result.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
    const where = details[0]?.path ? ` (${details[0].path}: ${details[0].message})` : '';
    throw new FermataError(
      'invalid',
      `${file} is not a valid answers file${where}. Expected: {"answers":[{"id":"scope-4","answer":"…"},{"question":"…","answer":"…"}]}`,
      { details },
    );
  }
  return result.data.answers.flatMap(({ id, question, answer }) =>
    answer === null || answer === undefined ? [] : [{ id, question, answer }],
  );
}

/** By id, else by the exact text; the last one if there are several. */
export function answerFor(
  { id, question }: { id: string; question: string },
  answers: readonly FileAnswer[],
): FileAnswer | undefined {
  return (
    answers.findLast((each) => each.id === id) ??
    answers.findLast((each) => each.id === undefined && each.question === question)
  );
}
