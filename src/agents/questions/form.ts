import { fromAskUserQuestion, toUpdatedInput } from '../../ledger/forms/ask-user-question.ts';
import { FermataError } from '../../schema/error.ts';
import type { Notification, Response } from '../../schema/notification.ts';
import { answersText, GO_ON, noAnswerText, SKIPPED, spokenResponse } from './answer-text.ts';

/** What goes back: the call's own input with the answers in it, why there are none, or the result of a form. */
export type FormResult = { allow: unknown } | { deny: string } | { result: object };

/** A set of questions in the words of the one who asked. */
export interface Form {
  questions: unknown[];
  reply(settled: Notification): FormResult;
}

/** A call of AskUserQuestion with this input; a text that says what is wrong where nobody can be asked that. */
export function askForm(input: unknown): Form | string {
  return readable(
    () => fromAskUserQuestion(input, now()).questions,
    (settled) => replyTo(input, settled),
  );
}

/** Questions and answers in words, for a session in which the call that asked is gone. */
export function restated(settled: readonly Notification[]): string {
  if (settled.length === 0) return GO_ON;
  return settled.map((each) => (each.responses.length > 0 ? answersText(each) : unanswered(each))).join('\n');
}

/** A form of these questions; a text that says what is wrong if they cannot be read. */
export function readable(questions: () => unknown[], reply: Form['reply']): Form | string {
  try {
    const read = questions();
    return read.length > 0 ? { questions: read, reply } : 'None of its questions has a text.';
  } catch (error) {
    if (error instanceof FermataError) return error.message;
    throw error;
  }
}

function replyTo(input: unknown, settled: Notification): FormResult {
  if (!settled.responses.some(({ kind }) => kind === 'answered')) return { deny: withoutAnswer(settled) };
  try {
    return { allow: toUpdatedInput(input, { ...settled, responses: spokenResponses(settled) }) };
  } catch {
    // Another call than the one that was stored: as words, question and answer still belong together.
    return { deny: answersText(settled) };
  }
}

/** Claude Code leaves a question out that has no answer: the agent is told in words instead. */
function spokenResponses({ questions, responses }: Notification): Response[] {
  const [first] = responses;
  if (!first) return [];
  const { by, at } = first;
  return questions.map(({ id }) => {
    const response = responses.find(({ questionId }) => questionId === id);
    if (response?.kind === 'answered') return response;
    return { kind: 'answered', questionId: id, answer: spokenResponse(response), by, at };
  });
}

function withoutAnswer(settled: Notification): string {
  const said = [...new Set(settled.responses.map(spokenResponse))].join('\n');
  if (said !== '') return said;
  return settled.outcome === 'skipped' ? SKIPPED : noAnswerText(settled);
}

function unanswered(settled: Notification): string {
  const asked = settled.questions.map(({ text }) => `You asked: ${text}\n`).join('');
  return `${asked}${noAnswerText(settled)}\n`;
}

const now = () => new Date().toISOString();
