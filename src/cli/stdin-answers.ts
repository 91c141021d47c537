import { readReply } from '../channels/reply.ts';
import { FermataError } from '../schema/error.ts';
import { isApproval } from '../schema/is-question.ts';
import type { Notification, ResponseInput } from '../schema/notification.ts';
import type { Question } from '../schema/question.ts';
import type { CommandContext } from './command-context.ts';
import { tell } from './output.ts';

const MAX_CHARACTERS = 1024 * 1024;

/** Answers on stdin, if that is not a terminal: round by round, one line per question. */
export class StdinAnswers {
  readonly #session: CommandContext;
  readonly #input = process.stdin;
  #text = '';
  #hasEnded = false;
  #isAfterRound = false;
  #wake: () => void = () => undefined;

  constructor(context: CommandContext) {
    this.#session = context;
    this.#input.setEncoding('utf8').on('data', (text: string) => {
      this.#text += text;
      // Pauses until the questions come, because endless input must not fill our memory.
      if (this.#text.length > MAX_CHARACTERS) this.#input.pause();
      this.#wake();
    });
    const end = () => {
      this.#hasEnded = true;
      this.#wake();
    };
    this.#input.once('end', end).once('error', end).once('close', end);
  }

  close(): void {
    this.#input.destroy();
  }

  /** Answers a notification as soon as there are lines for it. False if a person has to answer it elsewhere. */
  async answer(notification: Notification, signal: AbortSignal): Promise<boolean> {
    // A line that was written before the request was known must not allow it.
    if (isApproval(notification)) return false;
    const round = await this.#nextRound(notification, signal);
    if (round === 'settled') return true;
    if (!round) return false;
    const { projectId, id, questions, kind } = notification;
    const responses = questions.flatMap((question, index) => {
      const line = round.answers[index];
      if (line !== undefined) return responseTo(question, line, kind);
      return round.isOver ? [skipped(question)] : [];
    });
    if (responses.length > 0) await this.#send(projectId, id, responses);
    return responses.length === questions.length;
  }

  async #nextRound({ projectId, id, questions }: Notification, signal: AbortSignal) {
    const stop = new AbortController();
    const settled = this.#session.ledger.notifications
      .wait(projectId, id, AbortSignal.any([signal, stop.signal]))
      .then(() => 'settled' as const);
    try {
      for (;;) {
        const text = this.#isAfterRound ? withoutRoundEnd(this.#text) : this.#text;
        const round = takeRound(text, questions.length, this.#hasEnded);
        if (round) {
          this.#text = round.rest;
          this.#input.resume();
          this.#isAfterRound = !round.endedByBlanks;
          return round;
        }
        if (this.#hasEnded) return undefined;
        const more = new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        if ((await Promise.race([more, settled])) === 'settled') return 'settled';
      }
    } finally {
      stop.abort();
      await settled.catch(() => undefined);
    }
  }

  async #send(projectId: string, id: string, responses: ResponseInput[]): Promise<void> {
    try {
      const by = this.#session.by('command');
      await this.#session.ledger.notifications.resolve(projectId, id, { responses }, by);
    } catch (error) {
      // Answered elsewhere at the same moment; that answer stays.
      if (!(error instanceof FermataError) || error.code !== 'conflict') throw error;
      tell(`fermata: Not stored: ${error.message}`);
    }
  }
}

const skipped = ({ id }: Question): ResponseInput => ({ questionId: id, skipped: true });

function responseTo(question: Question, line: string, kind: Notification['kind']): ResponseInput[] {
  if (line.includes('\n')) return [{ questionId: question.id, answer: line }];
  const reply = readReply(line, question, kind);
  if (reply.kind === 'skip') return [skipped(question)];
  if (reply.kind === 'answer') return [{ questionId: question.id, answer: reply.answer }];
  tell(`fermata: "${line.slice(0, 80)}" on stdin does not answer "${question.text}". ${reply.message}`);
  return [];
}

/** The answers to the questions of one round, taken from the text that has arrived on stdin. */
interface RoundOfAnswers {
  /** In the order of the questions; unanswered ones are skipped if the round is over. */
  answers: string[];
  /** False if the input ended before all questions were answered. */
  isOver: boolean;
  /** Whether two blank lines ended it; otherwise they may still come. */
  endedByBlanks: boolean;
  rest: string;
}

/**
 * Takes one line for each question. Two blank lines end a round early, and keep a multi-line answer together: the last
 * question gets all remaining lines. Undefined while more has to arrive.
 */
export function takeRound(text: string, questions: number, hasEnded: boolean): RoundOfAnswers | undefined {
  const lines = text.split(/\r\n|\n/);
  const unfinished = lines.pop() ?? '';
  if (hasEnded && unfinished !== '') lines.push(unfinished);
  const rest = (from: number) => [...lines.slice(from), hasEnded ? '' : unfinished].join('\n');
  const end = lines.findIndex((line, index) => line === '' && lines[index + 1] === '');
  if (end >= 0)
    return {
      answers: inBlock(lines.slice(0, end), questions),
      isOver: true,
      endedByBlanks: true,
      rest: rest(end + 2),
    };
  const filled = lines.flatMap((line, index) => (line.trim() === '' ? [] : [index]));
  const last = filled[questions - 1];
  if (last !== undefined) {
    const answers = filled.slice(0, questions).map((index) => lines[index] ?? '');
    return { answers, isOver: true, endedByBlanks: false, rest: rest(last + 1) };
  }
  if (!hasEnded || filled.length === 0) return undefined;
  return {
    answers: filled.map((index) => lines[index] ?? ''),
    isOver: false,
    endedByBlanks: false,
    rest: '',
  };
}

/** Removes the blank lines that ended the previous round, so that they do not end this one. */
export const withoutRoundEnd = (text: string) => text.replace(/^(?:\r?\n){1,2}/, '');

function inBlock(lines: string[], questions: number): string[] {
  const filled = lines.flatMap((line, index) => (line.trim() === '' ? [] : [index]));
  if (filled.length <= questions && questions > 1) return filled.map((index) => lines[index] ?? '');
  const own = filled.slice(0, questions - 1);
  const left = lines
    .slice((own.at(-1) ?? -1) + 1)
    .join('\n')
    .trim();
  return [...own.map((index) => lines[index] ?? ''), ...(left === '' ? [] : [left])];
}
