import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { describeAnswer } from '../../channels/present.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { By } from '../../schema/actor.ts';
import { FermataError } from '../../schema/error.ts';
import type { Notification, ResponseInput } from '../../schema/notification.ts';
import type { Answer, Question } from '../../schema/question.ts';
import { wholeInput } from '../recorded-input.ts';

/** The answers, by a part of the question's text or by its id. */
export type ScriptedAnswers = Record<string, Answer>;

const MAX_BYTES = 1024 * 1024;
const Answers = z.record(z.string().min(1), z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]));

export async function readAnswers(file: string): Promise<ScriptedAnswers> {
  const text = await wholeInput(file, MAX_BYTES, 'Answer only a few questions.');
  try {
    return Answers.parse(JSON.parse(text.toString('utf8')));
  } catch (cause) {
    throw new FermataError(
      'invalid',
      `${file} is not a valid answers file. Use a JSON object like {"part of the question": "answer"}.`,
      { cause },
    );
  }
}

/** The answer in the unattended demo: the script's, else the recommended one, else the first. */
export function scriptedAnswer(
  question: Pick<Question, 'id' | 'text' | 'options' | 'recommended'>,
  answers: ScriptedAnswers,
): Answer | undefined {
  const known = Object.entries(answers).find(
    ([key]) => key === question.id || question.text.toLowerCase().includes(key.toLowerCase()),
  );
  if (known) return known[1];
  if (question.recommended !== undefined) return question.recommended;
  const options = (question.options ?? []).map(({ label }) => label);
  return options.find((label) => !label.includes('…')) ?? options[0];
}

/** Nobody answers at once; meanwhile the rest visibly continues. */
const THINKING_MS = 1000;

interface Person {
  by: By;
  answers: ScriptedAnswers;
  say(line: string): void;
}

/** Plays the person: answers every question, until the signal. */
export async function playPerson(
  ledger: Ledger,
  projectId: string,
  person: Person,
  signal: AbortSignal,
): Promise<void> {
  for await (const { type, data } of ledger.events.watch(projectId, 0, signal)) {
    if (type !== 'notification.added') continue;
    const { id } = data.notification;
    const notification = await ledger.notifications.get(projectId, id);
    if (notification.status !== 'open') continue;
    await sleep(THINKING_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    await answer(ledger, notification, person);
  }
}

async function answer(
  ledger: Ledger,
  notification: Notification,
  { by, answers, say }: Person,
): Promise<void> {
  const { projectId, id, questions, gate } = notification;
  const letters =
    gate?.kind === 'variants' ? questions.filter(({ options }) => options).map(({ id }) => id) : [];
  const responses = questions.map((question): ResponseInput => {
    const decided = letters.includes(question.id)
      ? variant(question.id, letters, answers)
      : scriptedAnswer(question, answers);
    return decided === undefined
      ? { questionId: question.id, skipped: true }
      : { questionId: question.id, answer: decided };
  });
  try {
    await ledger.notifications.resolve(projectId, id, { responses }, by);
    const said = responses.flatMap((each) => ('answer' in each ? [describeAnswer(each.answer)] : []));
    say(`The script answers: ${said.join(', ')}`);
  } catch (error) {
    // Somebody else was first, or the question was withdrawn.
    if (!(error instanceof FermataError) || (error.code !== 'conflict' && error.code !== 'gone')) throw error;
  }
}

/** The variant that the script names is main, else the first; the others are discarded. */
function variant(letter: string, letters: string[], { variant: wanted }: ScriptedAnswers): string {
  const main = typeof wanted === 'string' && letters.includes(wanted) ? wanted : letters[0];
  return letter === main ? 'main' : 'discard';
}
