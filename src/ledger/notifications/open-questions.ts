import { FermataError } from '../../schema/error.ts';
import { limits } from '../../schema/limits.ts';
import type { Question } from '../../schema/question.ts';
import { type Dropped, normalizeQuestions } from './questions.ts';

type Answer = { open_questions?: unknown; openQuestions?: unknown };

interface Read {
  questions: Question[];
  dropped: Dropped[];
}

/** The readable questions in an agent's answer; snake case wins if both spellings have some. */
export function openQuestionsOf(object: Answer, at = new Date().toISOString()): Read {
  const snake = readable(asList(object.open_questions), at);
  if (snake.questions.length > 0) return snake;
  const { questions, dropped } = readable(asList(object.openQuestions), at);
  return { questions, dropped: [...snake.dropped, ...dropped] };
}

/** Whether it contains a question that can be asked. */
export const asksSomething = (object: Answer) => openQuestionsOf(object).questions.length > 0;

function asList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

/** One entry that breaks a limit must not discard the others. */
function readable(entries: readonly unknown[], at: string): Read {
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
