import { readFileSync, statSync } from 'node:fs';
import { type FileAnswer, readAnswersFile } from '../../planning/from-issues/answers-file.ts';
import type { Known } from '../../planning/from-issues/sort-questions.ts';
import type { PlannedQuestion } from '../../planning/gaps/plan-questions.ts';
import type { Decision } from '../../schema/decision.ts';
import { FermataError } from '../../schema/error.ts';
import { tell } from '../output.ts';
import type { Session } from '../session.ts';
import { asLedgerQuestion } from './store-questions.ts';

const LARGEST_FILE = 16 * 1024 * 1024;

/** What a file, the ledger and its decisions already say about these questions. */
export async function gatherKnown(
  { ledger }: Session,
  projectId: string,
  questions: PlannedQuestion[],
  answersFile: string | undefined,
): Promise<Omit<Known, 'settled'>> {
  const answers = answersFile === undefined ? [] : readFile(answersFile);
  tellUnused(answers, questions);
  const decisions = new Map<string, Decision>();
  for (const question of questions) {
    const decision = await ledger.decisions.find(projectId, asLedgerQuestion(question));
    if (decision) decisions.set(question.id, decision);
  }
  return { answers, decisions };
}

/** The texts of the questions that this asker got settled, and has not used yet. */
export async function settledBefore(
  { ledger }: Session,
  projectId: string,
  asker: string,
): Promise<Set<string>> {
  const settled = await ledger.notifications.undelivered(projectId, 'gap', asker);
  return new Set(settled.flatMap(({ questions }) => questions.map(({ text }) => text)));
}

function readFile(file: string): FileAnswer[] {
  try {
    if (statSync(file).size > LARGEST_FILE)
      throw new FermataError('invalid', `${file} is larger than 16 MB.`);
    return readAnswersFile(readFileSync(file, 'utf8'), file);
  } catch (error) {
    if (error instanceof FermataError) throw error;
    throw new FermataError('invalid', `${file} cannot be read: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}

function tellUnused(answers: FileAnswer[], questions: PlannedQuestion[]): void {
  for (const { id, question } of answers) {
    if (questions.some((each) => (id === undefined ? each.question === question : each.id === id))) continue;
    tell(`fermata: The file of answers has one to ${id ?? `"${question}"`}, which is no question here.`);
  }
}
