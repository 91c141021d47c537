import { readFileSync, statSync } from 'node:fs';
import type { PlannedQuestion } from '../../issues/gaps/plan-questions.ts';
import { blankIn } from '../../ledger/named-option.ts';
import { answerFor, type FileAnswer, readAnswersFile } from '../../plan/from-issues/answers-file.ts';
import type { Known } from '../../plan/from-issues/sort-questions.ts';
import { cmd } from '../../schema/command-line.ts';
import type { Decision } from '../../schema/decision.ts';
import { FermataError } from '../../schema/error.ts';
import type { CommandContext } from '../command-context.ts';
import { tell } from '../output.ts';
import { asLedgerQuestion } from './store-questions.ts';

const LARGEST_FILE = 16 * 1024 * 1024;

/** What a file, the ledger and its decisions already say about these questions. */
export async function gatherKnown(
  { ledger }: CommandContext,
  projectId: string,
  questions: PlannedQuestion[],
  answersFile: string | undefined,
): Promise<Omit<Known, 'settled'>> {
  const answers = answersFile === undefined ? [] : readFile(answersFile);
  tellUnused(answers, questions);
  for (const question of questions) refuseBlank(question, answerFor(question, answers), answersFile);
  const decisions = new Map<string, Decision>();
  for (const question of questions) {
    const decision = await ledger.decisions.find(projectId, asLedgerQuestion(question));
    if (decision) decisions.set(question.id, decision);
  }
  return { answers, decisions };
}

/** The texts of the questions that this asker got settled, and has not used yet. */
export async function settledBefore(
  { ledger }: CommandContext,
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
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      const advice = `"${cmd`plan-from-issues --questions-only`}" prints the questions to fill in.`;
      throw new FermataError('invalid', `Answers file ${file} not found. ${advice}`, { cause: error });
    }
    throw new FermataError('invalid', `Cannot read ${file}: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}

/** Before anything is stored: an option that is only begun answers nothing. */
function refuseBlank(
  { id, options }: PlannedQuestion,
  given: FileAnswer | undefined,
  file: string | undefined,
): void {
  const labels = options.map((label) => ({ label }));
  const blank = given && blankIn(labels, given.answer);
  if (blank) throw new FermataError('invalid', `${file}: ${id}: ${blank.message}`);
}

function tellUnused(answers: FileAnswer[], questions: PlannedQuestion[]): void {
  for (const { id, question } of answers) {
    if (questions.some((each) => (id === undefined ? each.question === question : each.id === id))) continue;
    tell(`fermata: The answers file has an answer to ${id ?? `"${question}"`}, which is not asked here.`);
  }
}
