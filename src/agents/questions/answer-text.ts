import type { Notification, Response } from '../../schema/notification.ts';

/** What an agent gets if a person chose not to answer. */
export const SKIPPED = 'The person skipped this question. Use your best judgement.';

/** What an agent gets if it was not supposed to ask. */
export const ASSUME =
  'This run cannot ask anyone. Make the most reasonable assumption, and list it as an assumption.';

/** One question's answer as plain text. */
export function responseAsText(response: Response | undefined): string {
  if (!response || response.kind === 'skipped') return SKIPPED;
  if (response.kind === 'dismissed') return `The person declined to answer: ${response.reason}`;
  const answer = Array.isArray(response.answer) ? response.answer.join(', ') : response.answer;
  return response.note ? `${answer}\nNote: ${response.note}` : answer;
}

type Settled = Pick<Notification, 'questions' | 'responses'> & Partial<Notification>;

/** The text that resumes a session. Agents and scripts of the seeds expect exactly these words. */
export function answersText(settled: Settled): string {
  const questions = settled.questions.map((question, index) => `Q${index + 1}: ${question.text}\n`).join('');
  const answers = settled.questions
    .map((question) => responseAsText(settled.responses.find((r) => r.questionId === question.id)))
    .join('\n');
  return `${wasCorrected(settled) ? `${CORRECTED}\n\n` : ''}Here are my answers to your questions:\n\n${questions}\nMy answers:\n${answers}\n`;
}

/**
 * What a session is resumed with, as text: questions and answers, because the call that asked is gone, and what people
 * said since.
 */
export function restated(settled: readonly Notification[], words = ''): string {
  const answers = settled.map((each) => (each.responses.length > 0 ? answersText(each) : unanswered(each)));
  return [...answers, ...(words === '' ? [] : [words])].join('\n') || CONTINUE_TEXT;
}

const CORRECTED =
  'I have changed an earlier answer. The old one no longer applies. Correct whatever you did because of it.';

const wasCorrected = ({ replaced, deliveredAt }: Settled) =>
  replaced !== undefined && deliveredAt !== undefined;

/** Resumes a session when there is nothing new to report. */
const CONTINUE_TEXT =
  'The session was interrupted. Continue where you left off. If you were asking something, ask it again.';

/** Why there is no answer, for an agent that has to continue without one. */
export function noAnswerText(settled: Notification): string {
  const reason = settled.reason ? `: ${settled.reason}` : '';
  const sentence = `The question was ${settled.outcome ?? settled.status}${reason}`;
  return `${sentence.replace(/(?<![.!?])$/, '.')} Continue without an answer.`;
}

function unanswered(settled: Notification): string {
  const asked = settled.questions.map(({ text }) => `You asked: ${text}\n`).join('');
  return `${asked}${noAnswerText(settled)}\n`;
}
