import type { Ledger } from '../../ledger/ledger.ts';
import { normalizeQuestions } from '../../ledger/notifications/questions.ts';
import type { By } from '../../schema/actor.ts';
import { FermataError } from '../../schema/error.ts';
import { isServerForm } from '../../schema/is-question.ts';
import type { Notification, ResponseInput } from '../../schema/notification.ts';
import type { Answer, Question } from '../../schema/question.ts';
import type { Run } from '../../schema/run.ts';
import type { Ask } from '../driver.ts';
import { ASSUME } from '../questions/answer-text.ts';

/** The answer to a question that nobody is asked: a person's earlier decision, or else the instruction to assume. */
async function answerAlone(
  { decisions }: Ledger,
  projectId: string,
  question: Question,
): Promise<{ from: 'decision' | 'assume'; answer: Answer }> {
  const decision = await decisions.find(projectId, question);
  return decision ? { from: 'decision', answer: decision.answer } : { from: 'assume', answer: ASSUME };
}

/**
 * Settles questions that nobody is asked and that have no answer yet. Declines a form, because its server would take any
 * content as a person's answer.
 */
export async function settleAlone(ledger: Ledger, asked: Notification): Promise<void> {
  const { projectId, id, questions, responses: given } = asked;
  if (isServerForm(asked)) {
    const by: By = { actor: { kind: 'policy', name: 'assume' }, channel: 'ledger' };
    const declined = { dismissed: true as const, reason: 'This run cannot ask anyone.' };
    await ledger.notifications.resolve(projectId, id, declined, by);
    return;
  }
  const answers: Record<'decision' | 'assume', ResponseInput[]> = { decision: [], assume: [] };
  for (const question of questions) {
    if (given.some(({ questionId }) => questionId === question.id)) continue;
    const { from, answer } = await answerAlone(ledger, projectId, question);
    answers[from].push({ questionId: question.id, answer });
  }
  for (const [name, responses] of Object.entries(answers)) {
    const by: By = { actor: { kind: 'policy', name }, channel: 'ledger' };
    if (responses.length > 0) await ledger.notifications.resolve(projectId, id, { responses }, by);
  }
}

/**
 * What an agent gets if its questions are not recorded: a person's earlier decisions, or, if there are none, a refusal
 * that says what to do instead. A server's form is always declined.
 */
export async function answerUnkept(
  ledger: Ledger,
  run: Run,
  { questions: asked, elicitation }: Ask,
  by: By,
): Promise<Notification> {
  const declined = refusal(run, ASSUME, by);
  if (elicitation) return declined;
  const { reason: _, ...answered } = declined;
  const at = declined.createdAt;
  try {
    const { questions } = normalizeQuestions(asked, at);
    const answers = await Promise.all(
      questions.map((question) => answerAlone(ledger, run.projectId, question)),
    );
    if (answers.every(({ from }) => from === 'assume')) return declined;
    const responses = answers.map(({ answer }, index) => {
      const questionId = questions[index]?.id ?? '';
      return { questionId, kind: 'answered' as const, answer, by, at };
    });
    return { ...answered, status: 'answered', outcome: 'answered', questions, responses };
  } catch (error) {
    if (!(error instanceof FermataError) || error.code !== 'invalid') throw error;
    return { ...declined, reason: error.message };
  }
}

/** What an agent gets if its question cannot be asked. It is not stored. */
export function refusal(
  { projectId, source, sourceId }: Pick<Run, 'projectId' | 'source' | 'sourceId'>,
  reason: string,
  by: By,
): Notification {
  return {
    id: 'refused',
    projectId,
    source,
    sourceId,
    kind: 'question',
    holds: {},
    status: 'declined',
    outcome: 'declined',
    questions: [],
    responses: [],
    policy: { kind: 'wait' },
    createdAt: new Date().toISOString(),
    createdBy: by,
    reason,
  };
}
