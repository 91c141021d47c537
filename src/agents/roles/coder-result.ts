import { openQuestionsOf } from '../../ledger/notifications/open-questions.ts';
import { NO_STATUS } from '../../ledger/tasks/coder-result.ts';
import { CoderResult } from '../../schema/coder-result.ts';
import { findAnswer, type RoleAnswer } from './role-answer.ts';

type Parsed = Exclude<RoleAnswer<CoderResult>, { kind: 'questions' }>;

/** Reads a Coder's result from its last message. Loses no question, whatever else the message contains. */
export function parseCoderResult(text: string): Parsed {
  const found = findAnswer(text, ['status', 'summary'], ['status'], ['open_questions'], ['openQuestions']);
  if (found === undefined) return { kind: 'unreadable', reason: 'It has no JSON object with a "status".' };
  const { open_questions: _, openQuestions: __, ...result } = CoderResult.parse(found);
  const { questions } = openQuestionsOf(found);
  if (questions.length > 0) {
    return {
      kind: 'answer',
      value: { ...result, status: result.status ?? 'failed', open_questions: questions },
    };
  }
  return result.status === undefined
    ? { kind: 'unreadable', reason: NO_STATUS }
    : { kind: 'answer', value: result };
}
