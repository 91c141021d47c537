import type { PlannedQuestion } from '../../../issues/questions/plan-questions.ts';
import { type FileAnswer, type SortedQuestions, sortQuestions } from '../../../plan/from-issues/questions.ts';
import type { Decision } from '../../../schema/decision.ts';
import type { Context } from '../../context.ts';
import { asLedgerQuestion } from './store-questions.ts';

/** Answers that a person has written to a file, and the file's name. */
export interface GivenAnswers {
  file: string;
  answers: FileAnswer[];
}

/**
 * Separates questions to ask from those that are answered: by a file, by earlier decisions, or by answers that were not
 * used yet.
 */
export async function sortByKnown(
  context: Context,
  projectId: string,
  { questions, asker }: { questions: PlannedQuestion[]; asker?: string },
  given: GivenAnswers | undefined,
  most: number,
): Promise<SortedQuestions> {
  const { ledger } = context;
  const { answers = [] } = given ?? {};
  reportUnused(context, answers, questions);
  const decisions = new Map<string, Decision>();
  for (const question of questions) {
    const decision = await ledger.decisions.find(projectId, asLedgerQuestion(question));
    if (decision) decisions.set(question.id, decision);
  }
  const unused = asker === undefined ? [] : await ledger.notifications.undelivered(projectId, 'gap', asker);
  const settled = new Set(unused.flatMap((each) => each.questions.map(({ text }) => text)));
  return sortQuestions(questions, { answers, decisions, settled }, most);
}

function reportUnused({ report }: Context, answers: FileAnswer[], questions: PlannedQuestion[]): void {
  for (const { id, question } of answers) {
    if (questions.some((each) => (id === undefined ? each.question === question : each.id === id))) continue;
    const text = `The answers file has an answer to ${id ?? `"${question}"`}, which is not asked here.`;
    report({ kind: 'notice', text });
  }
}
