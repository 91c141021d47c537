import * as z from 'zod';
import { CoderResult } from '../../schema/coder-result.ts';
import { openQuestionsOf } from '../open-questions.ts';
import { findAnswer, type RoleAnswer } from './role-answer.ts';

type Parsed = Exclude<RoleAnswer<CoderResult>, { kind: 'questions' }>;

const { status, summary, filesChanged, testsWritten, testsPassed, notes } = CoderResult.shape;

/** A Coder that gets a detail wrong has still said whether it is done. */
const Lenient = z.object({
  status,
  summary: summary.catch(undefined),
  filesChanged: filesChanged.catch(undefined),
  testsWritten: testsWritten.catch(undefined),
  testsPassed: testsPassed.catch(undefined),
  notes: notes.catch(undefined),
});

/** Reads a Coder's result out of what it said last. No question is lost, whatever stands beside it. */
export function parseCoderResult(text: string): Parsed {
  const found = findAnswer(text, ['status', 'open_questions', 'openQuestions']);
  if (found === undefined) return { kind: 'unreadable', reason: 'It has no JSON object with a "status".' };
  const { questions } = openQuestionsOf(found);
  const asked = questions.length > 0 ? { open_questions: questions } : {};
  const { data } = Lenient.safeParse(found);
  if (data) return { kind: 'answer', value: { ...data, ...asked } };
  if (questions.length === 0) {
    return { kind: 'unreadable', reason: 'Its "status" cannot be used: write "success" or "failed".' };
  }
  return { kind: 'answer', value: { ...Lenient.parse({ ...found, status: 'failed' }), ...asked } };
}
