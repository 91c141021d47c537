import { type AskCall, answeredCall, readCall } from '../../ledger/forms/ask-user-question.ts';
import { FermataError } from '../../schema/error.ts';
import type { Notification, Response } from '../../schema/notification.ts';
import { answersText, noAnswerText, responseAsText, SKIPPED } from './answer-text.ts';

/** What goes back: the call's own input with the answers, the reason why there are none, or the result of a form. */
export type FormResult = { allow: unknown } | { deny: string } | { result: object };

/** A set of questions in the asker's format. */
export interface Form {
  questions: unknown[];
  reply(settled: Notification): FormResult;
}

/** A call of AskUserQuestion with this input, or a text that says why nobody can be asked. */
export function askForm(input: unknown): Form | string {
  return readable(() => {
    const call = readCall(input, new Date().toISOString());
    const questions = call.asked.map(({ question }) => question);
    return { questions, reply: (settled) => replyTo(call, settled) };
  });
}

/** A form, or a text that says why it cannot be read. */
export function readable(read: () => Form): Form | string {
  try {
    const form = read();
    return form.questions.length > 0 ? form : 'None of its questions has any text.';
  } catch (error) {
    if (error instanceof FermataError) return error.message;
    throw error;
  }
}

function replyTo(call: AskCall, settled: Notification): FormResult {
  if (!settled.responses.some(({ kind }) => kind === 'answered')) return { deny: withoutAnswer(settled) };
  try {
    return { allow: answeredCall(call, { ...settled, responses: responsesAsText(settled) }) };
  } catch {
    // This is not the call that was stored, so the agent gets question and answer together as text.
    return { deny: answersText(settled) };
  }
}

/** Claude Code drops a question that has no answer, so the agent gets a text instead. */
function responsesAsText({ questions, responses }: Notification): Response[] {
  const [first] = responses;
  if (!first) return [];
  const { by, at } = first;
  return questions.map(({ id }) => {
    const response = responses.find(({ questionId }) => questionId === id);
    if (response?.kind === 'answered') return response;
    return { kind: 'answered', questionId: id, answer: responseAsText(response), by, at };
  });
}

function withoutAnswer(settled: Notification): string {
  const said = [...new Set(settled.responses.map(responseAsText))].join('\n');
  if (said !== '') return said;
  return settled.outcome === 'skipped' ? SKIPPED : noAnswerText(settled);
}
