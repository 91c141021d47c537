import type { Notification, Response } from '../schema/notification.ts';

/** What an agent is told in place of an answer that a person chose not to give. */
export const SKIPPED = 'The person skipped this question. Use your best judgement.';

/** What an agent is told where it was not supposed to ask. */
export const ASSUME =
  'Nobody is asked in this run. Assume what is most reasonable, and list it as an assumption.';

/** One question's answer in plain words. */
export function spokenResponse(response: Response | undefined): string {
  if (!response || response.kind === 'skipped') return SKIPPED;
  if (response.kind === 'dismissed') return `The person declined to answer: ${response.reason}`;
  const answer = Array.isArray(response.answer) ? response.answer.join(', ') : response.answer;
  return response.note ? `${answer}\nNote: ${response.note}` : answer;
}

/** The text with which a session is resumed, word for word as agents and scripts of the seeds expect it. */
export function answersText(settled: Pick<Notification, 'questions' | 'responses'>): string {
  const questions = settled.questions.map((question, index) => `Q${index + 1}: ${question.text}\n`).join('');
  const answers = settled.questions
    .map((question) => spokenResponse(settled.responses.find((r) => r.questionId === question.id)))
    .join('\n');
  return `Here are my answers to your questions:\n\n${questions}\nMy answers:\n${answers}\n`;
}

/** For a session that is taken up with nothing to tell. */
export const GO_ON =
  'The session was interrupted. Go on where you left off; if you were asking something, ask it again.';

/** Why there is no answer at all, for an agent that has to go on without. */
export function noAnswerText(settled: Notification): string {
  const reason = settled.reason ? `: ${settled.reason}` : '';
  return `The question was ${settled.outcome ?? settled.status}${reason}. Go on without an answer.`;
}
