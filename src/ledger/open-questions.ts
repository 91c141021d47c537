import { FermataError } from '../schema/error.ts';
import { limits } from '../schema/limits.ts';
import type { Question } from '../schema/question.ts';
import { type Dropped, normalizeQuestions } from './questions.ts';

type Answer = { open_questions?: unknown; openQuestions?: unknown };

/** The questions of an agent's answer, as far as they can be read; snake case wins where both have entries. */
export function openQuestionsOf(object: Answer, at = new Date().toISOString()) {
  return readable(entriesOf(object), at);
}

function entriesOf(object: Answer): readonly unknown[] {
  const [snake, camel] = [object.open_questions, object.openQuestions].map(asList);
  return snake && snake.length > 0 ? snake : (camel ?? []);
}

function asList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

/** One entry that breaks a limit must not take the others with it. */
function readable(entries: readonly unknown[], at: string): { questions: Question[]; dropped: Dropped[] } {
  const kept: unknown[] = [];
  const broken: Dropped[] = [];
  for (const value of entries) {
    const reason = kept.length < limits.questions ? problemOf(value, at) : tooMany;
    if (reason === undefined) kept.push(value);
    else broken.push({ reason, value });
  }
  const { questions, dropped } = normalizeQuestions(kept, at);
  return { questions, dropped: [...dropped, ...broken] };
}

function problemOf(entry: unknown, at: string): string | undefined {
  try {
    normalizeQuestions([entry], at);
    return undefined;
  } catch (error) {
    if (error instanceof FermataError) return error.message.replace(/^Question 1[:,] /, '');
    throw error;
  }
}

const tooMany = `more than ${limits.questions} questions`;
