import { gapLabels } from '../../../issues/gaps/gap.ts';
import type { PlannedQuestion } from '../../../issues/questions/plan-questions.ts';
import type { FileAnswer, SortedQuestions } from '../../../plan/from-issues/questions.ts';
import { FermataError } from '../../../schema/error.ts';
import type { Notification } from '../../../schema/notification.ts';
import type { Context } from '../../context.ts';

/** A question with its notification in the ledger. */
export interface AskedQuestion {
  question: PlannedQuestion;
  notification: Notification;
}

/** Stores each question, or reuses one that was asked before and is still open or was answered meanwhile. */
export async function storeQuestions(
  context: Context,
  projectId: string,
  asker: string,
  toAsk: SortedQuestions['toAsk'],
): Promise<AskedQuestion[]> {
  const asked: AskedQuestion[] = [];
  const before = await context.ledger.notifications.asked(projectId, 'gap', asker);
  for (const { question, given } of toAsk) {
    const { notification } = await context.ledger.notifications.create(
      {
        projectId,
        source: 'gap',
        sourceId: asker,
        questions: [asLedgerQuestion(question)],
        resume: { agent: 'command', cwd: context.cwd },
        takeUp: true,
      },
      context.who,
    );
    const outdated = before.filter(
      (each) => each.status === 'open' && each.id !== notification.id && asksFor(each, question.id),
    );
    for (const each of outdated) await supersede(context, each, notification.id);
    if (given) await answerFromFile(context, notification, given);
    asked.push({ question, notification });
  }
  return asked;
}

async function supersede(
  { ledger, who }: Context,
  { projectId, id }: Notification,
  next: string,
): Promise<void> {
  const why = 'The issue changed, and so did the question.';
  try {
    await ledger.notifications.supersede(projectId, id, next, why, who);
  } catch (error) {
    // Answered at the same moment; that answer stays.
    if (!(error instanceof FermataError) || error.code !== 'conflict') throw error;
  }
}

/** The same gap of the same issues has the same id, however it is worded. */
const asksFor = ({ questions }: Notification, id: string) => questions.some((question) => question.id === id);

export function asLedgerQuestion(planned: PlannedQuestion) {
  const { id, gap_type, question, context, assumed, options, recommended, reason } = planned;
  return {
    id,
    text: question,
    header: gapLabels[gap_type],
    context: `${context} If nobody answers: ${assumed}`,
    ...(options.length > 0
      ? {
          options: options.map((label) => ({
            label,
            ...(label === recommended && reason !== undefined ? { description: reason } : {}),
          })),
        }
      : {}),
    ...(recommended === undefined ? {} : { recommended }),
  };
}

async function answerFromFile(context: Context, of: Notification, { answer }: FileAnswer): Promise<void> {
  const questionId = of.questions[0]?.id ?? '';
  const isSkip = typeof answer === 'string' && answer.trim().toLowerCase() === 'skip';
  const response = isSkip ? { questionId, skipped: true as const } : { questionId, answer };
  try {
    const by = { ...context.who, channel: 'answers-file' as const };
    await context.ledger.notifications.resolve(of.projectId, of.id, { responses: [response] }, by);
  } catch (error) {
    if (!(error instanceof FermataError) || error.code !== 'conflict') throw error;
    context.report({ kind: 'notice', text: `Not stored: ${error.message}` });
  }
}
