import { readFileSync, statSync } from 'node:fs';
import { describeAnswer } from '../../channels/present.ts';
import { answerFor, type FileAnswer, readAnswersFile } from '../../planning/from-issues/answers-file.ts';
import type { ResolvedQuestion } from '../../planning/from-issues/resolved-question.ts';
import { gapLabels } from '../../planning/gaps/gap.ts';
import { type PlannedQuestion, withinBudget } from '../../planning/gaps/plan-questions.ts';
import { FermataError } from '../../schema/error.ts';
import type { Notification } from '../../schema/notification.ts';
import { tell } from '../output.ts';
import type { Session } from '../session.ts';

/** A question with its notification in the ledger. */
export interface AskedQuestion {
  question: PlannedQuestion;
  notification: Notification;
}

export interface SortedQuestions {
  /** Decided before, or not asked. */
  resolved: ResolvedQuestion[];
  /** To be asked, with the answer that a file has for it. */
  toAsk: { question: PlannedQuestion; given: FileAnswer | undefined }[];
}

const LARGEST_FILE = 16 * 1024 * 1024;

/** What was decided before, or stands in the file of answers, costs nothing of the budget; the rest is cut to it. */
export async function sortQuestions(
  session: Session,
  projectId: string,
  questions: PlannedQuestion[],
  /** The texts of those that were settled but not used yet: they are taken up as they are. */
  kept: ReadonlySet<string>,
  options: { answersFile?: string; maxQuestions: number },
): Promise<SortedQuestions> {
  const answers = options.answersFile === undefined ? [] : readFile(options.answersFile);
  tellUnused(answers, questions);
  const sorted: SortedQuestions = { resolved: [], toAsk: [] };
  const rest: PlannedQuestion[] = [];
  for (const question of questions) {
    const given = answerFor(question, answers);
    if (given || kept.has(question.question)) {
      sorted.toAsk.push({ question, given });
      continue;
    }
    const decision = await session.ledger.decisions.find(projectId, asLedgerQuestion(question));
    if (!decision) {
      rest.push(question);
      continue;
    }
    const { id, answer, at, by } = decision;
    sorted.resolved.push({
      question,
      resolution: { kind: 'decided', answer, at, by: by.actor.name, decision: id },
    });
  }
  const { questions: asked, assumptions } = withinBudget(rest, options.maxQuestions);
  sorted.toAsk.push(...asked.map((question) => ({ question, given: undefined })));
  const cut = rest.slice(asked.length);
  sorted.resolved.push(
    ...cut.map(
      (question, index): ResolvedQuestion => ({
        question,
        resolution: { kind: 'assumed', reason: assumptions[index]?.reason ?? '' },
      }),
    ),
  );
  return { ...sorted, toAsk: inOrder(sorted.toAsk, questions) };
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

/** How many are asked, and what is used again: that is never done silently. */
export function tellCounts({ resolved, toAsk }: SortedQuestions): void {
  const decided = resolved.filter(({ resolution }) => resolution.kind === 'decided').length;
  const counts = [
    `${toAsk.length} question(s)`,
    ...(decided > 0 ? [`${decided} decided before`] : []),
    ...(resolved.length > decided ? [`${resolved.length - decided} not asked`] : []),
  ];
  tell(`${counts.join(', ')}.`);
  for (const { question, resolution } of resolved) {
    if (resolution.kind !== 'decided') continue;
    const { answer, by, at } = resolution;
    tell(
      `Decided before by ${by} on ${at.slice(0, 10)}: ${question.question} → ${describeAnswer(answer)} (an answers file overrules it: ${question.id})`,
    );
  }
}

/** Stores each question; what was asked before and is still open, or was answered meanwhile, is taken up. */
export async function storeQuestions(
  session: Session,
  projectId: string,
  asker: string,
  toAsk: SortedQuestions['toAsk'],
): Promise<AskedQuestion[]> {
  const asked: AskedQuestion[] = [];
  for (const { question, given } of toAsk) {
    const { notification } = await session.ledger.notifications.create(
      {
        projectId,
        source: 'gap',
        sourceId: asker,
        questions: [asLedgerQuestion(question)],
        resume: { agent: 'command', cwd: process.cwd() },
        takeUp: true,
      },
      session.by('command'),
    );
    if (given) await answerFromFile(session, notification, given);
    asked.push({ question, notification });
  }
  return asked;
}

function asLedgerQuestion({
  id,
  gap_type,
  question,
  context,
  assumed,
  options,
  recommended,
}: PlannedQuestion) {
  return {
    id,
    text: question,
    header: gapLabels[gap_type],
    context: `${context} If nobody answers: ${assumed}`,
    ...(options.length > 0 ? { options: options.map((label) => ({ label })) } : {}),
    ...(recommended === undefined ? {} : { recommended }),
  };
}

async function answerFromFile(session: Session, of: Notification, { answer }: FileAnswer): Promise<void> {
  const questionId = of.questions[0]?.id ?? '';
  const isSkip = typeof answer === 'string' && answer.trim().toLowerCase() === 'skip';
  const response = isSkip ? { questionId, skipped: true as const } : { questionId, answer };
  try {
    const by = session.by('answers-file');
    await session.ledger.notifications.resolve(of.projectId, of.id, { responses: [response] }, by);
  } catch (error) {
    if (!(error instanceof FermataError) || error.code !== 'conflict') throw error;
    tell(`fermata: Not stored: ${error.message}`);
  }
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

function inOrder(toAsk: SortedQuestions['toAsk'], questions: PlannedQuestion[]): SortedQuestions['toAsk'] {
  return toAsk.sort((a, b) => questions.indexOf(a.question) - questions.indexOf(b.question));
}
