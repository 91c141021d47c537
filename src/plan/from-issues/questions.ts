import * as z from 'zod';
import { parseJson } from '../../config/parse-json.ts';
import { type PlannedQuestion, withinBudget } from '../../issues/questions/plan-questions.ts';
import { cmd } from '../../schema/command-line.ts';
import type { Decision } from '../../schema/decision.ts';
import { FermataError } from '../../schema/error.ts';
import { Answer } from '../../schema/question.ts';

/** How a question about issues was resolved: a person's answer, an earlier one, or an assumption. */
type Resolution =
  | { kind: 'answered'; answer: Answer; note?: string; by: string; at: string; notification: string }
  | { kind: 'decided'; answer: Answer; by: string; at: string; decision: string; notification: string }
  | { kind: 'assumed'; reason: string; notification?: string };

export interface ResolvedQuestion {
  question: PlannedQuestion;
  resolution: Resolution;
}

type Of<Kind extends Resolution['kind']> = ResolvedQuestion & {
  resolution: Extract<Resolution, { kind: Kind }>;
};

/** The questions that a person has answered, now or before. */
export const withAnswer = (resolved: readonly ResolvedQuestion[]) =>
  resolved.filter((each): each is Of<'answered' | 'decided'> => each.resolution.kind !== 'assumed');

export const assumed = (resolved: readonly ResolvedQuestion[]) =>
  resolved.filter((each): each is Of<'assumed'> => each.resolution.kind === 'assumed');

export const answerText = (answer: Answer) => [answer].flat().join(', ');

/** An earlier answer in one line, with the id that a person needs to change it. */
export const earlierAnswer = (question: PlannedQuestion, answer: string, notificationId: string) =>
  `${question.question} → ${answer} (${notificationId})`;

export const howToChange = () => `To change one of these answers: ${cmd`amend ID VALUE`}`;

/** What is known before anybody is asked. */
export interface Known {
  /** From a file. */
  answers: readonly FileAnswer[];
  /** The texts of questions that were settled but not used yet; they are reused. */
  settled: ReadonlySet<string>;
  /** Decisions from earlier plans, by question id. */
  decisions: ReadonlyMap<string, Decision>;
}

export interface SortedQuestions {
  /** Questions to ask, with the answer that a file has for them. */
  toAsk: { question: PlannedQuestion; given: FileAnswer | undefined }[];
  /** Decided before, or not asked. */
  resolved: ResolvedQuestion[];
}

/**
 * Decisions and answers from a file do not count towards the budget; the remaining questions are cut to it. Settled
 * questions count first, so that a resumed plan asks no more than it would have. A different answer in a file overrides
 * a decision.
 */
export function sortQuestions(questions: PlannedQuestion[], known: Known, most: number): SortedQuestions {
  const isSettled = ({ question }: PlannedQuestion) => known.settled.has(question);
  const isSaid = (question: PlannedQuestion) => {
    const given = answerFor(question, known.answers);
    const decided = known.decisions.get(question.id);
    return isSettled(question) || (given !== undefined && !(decided && isSame(decided.answer, given.answer)));
  };
  const isKnown = (question: PlannedQuestion) => isSaid(question) || known.decisions.has(question.id);
  const { questions: asked, assumptions } = withinBudget(
    [
      ...questions.filter(isSettled),
      ...questions.filter((question) => !isKnown(question)).sort((a, b) => a.rank - b.rank),
    ],
    most,
  );
  const reason = assumptions[0]?.reason ?? '';
  const sorted: SortedQuestions = { toAsk: [], resolved: [] };
  for (const question of questions) {
    const decision = known.decisions.get(question.id);
    if (isSaid(question) || asked.includes(question)) {
      sorted.toAsk.push({ question, given: answerFor(question, known.answers) });
    } else if (decision) {
      const { id, answer, at, by, notificationId } = decision;
      const said = { answer, at, by: by.actor.name, decision: id, notification: notificationId };
      const resolution = { kind: 'decided' as const, ...said };
      sorted.resolved.push({ question, resolution });
    } else {
      sorted.resolved.push({ question, resolution: { kind: 'assumed', reason } });
    }
  }
  return sorted;
}

const isSame = (a: Answer, b: Answer) => flat(a) === flat(b);
const flat = (answer: Answer) => JSON.stringify([answer].flat().map((value) => value.trim()));

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
