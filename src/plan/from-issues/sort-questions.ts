import { type PlannedQuestion, withinBudget } from '../../issues/gaps/plan-questions.ts';
import type { Decision } from '../../schema/decision.ts';
import type { Answer } from '../../schema/question.ts';
import { answerFor, type FileAnswer } from './answers-file.ts';
import type { ResolvedQuestion } from './resolved-question.ts';

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
    [...questions.filter(isSettled), ...questions.filter((question) => !isKnown(question))],
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
