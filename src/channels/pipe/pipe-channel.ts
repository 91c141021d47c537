import type { Readable, Writable } from 'node:stream';
import { LONGEST_TIMER } from '../../config/duration.ts';
import type { QAAnswer, QAQuestion } from '../../schema/qa.ts';
import { LineSplitter } from '../line-splitter.ts';
import { type PipeReply, readAnswerLine, replyOf } from './answer-line.ts';

export type PipeQuestion = QAQuestion & { id: string };

/** What came of a question to the parent process. */
export type PipeEnd =
  | PipeReply
  /** Nothing that can be used came: the question has to be asked elsewhere. */
  | { kind: 'failed'; message: string }
  /** It is no longer waited for. */
  | { kind: 'aborted' };

export interface PipeOptions {
  input: Readable;
  output: Writable;
  timeoutSeconds: number;
  /** For logs and errors: nothing but questions is ever on the output. */
  report(message: string): void;
  /** An answer to a question that is no longer waited for. */
  late(questionId: string, reply: PipeReply): void;
}

/** A question that went out, until the parent has answered it. */
interface Asked {
  question: PipeQuestion;
  /** False once a line came for it that could not be used: the next one of its kind belongs to another question. */
  expectsByType: boolean;
}

const LONGEST_LINE = 1024 * 1024;

/**
 * Asks a parent process over two pipes, one question at a time, each with a deadline. An answer belongs to the question
 * that it names; without a name to the first of its kind that went out and that the parent has not answered. So an answer
 * that comes late is never taken for that of a later question.
 */
export class PipeChannel {
  readonly #options: PipeOptions;
  #toCome: PipeQuestion[];
  #asked: Asked[] = [];
  /** Answers that came before their questions, by the question's id. */
  readonly #early = new Map<string, QAAnswer>();
  #waiting: { asked: Asked; settle(end: PipeEnd): void } | undefined;
  #isFirstLine = true;
  #ended: string | undefined;

  constructor(questions: PipeQuestion[], options: PipeOptions) {
    this.#options = options;
    this.#toCome = questions;
    const splitter = new LineSplitter(
      (bytes, start, end) => this.#line(bytes.toString('utf8', start, end)),
      (size) => this.#unusable(`The answer is a line of ${size} bytes; at most ${LONGEST_LINE} are allowed.`),
      LONGEST_LINE,
    );
    const end = () => {
      if (this.#ended === undefined) splitter.end();
      this.#end('The parent process has closed its end of the pipe.');
    };
    options.input.on('data', (chunk: Buffer) => splitter.push(chunk));
    options.input.once('end', end).once('close', end).once('error', end);
    options.output.on('error', () => this.#end('The parent process does not read questions any more.'));
  }

  /** Sends the question and waits for its answer. After the end of input nothing is waited for. */
  async ask(question: PipeQuestion, signal: AbortSignal): Promise<PipeEnd> {
    const early = this.#early.get(question.id);
    this.#early.delete(question.id);
    this.#toCome = this.#toCome.filter(({ id }) => id !== question.id);
    if (this.#ended !== undefined && !early) return { kind: 'failed', message: this.#ended };
    if (signal.aborted) return { kind: 'aborted' };
    const asked: Asked = { question, expectsByType: true };
    this.#asked.push(asked);
    const settled = new Promise<PipeEnd>((settle) => {
      this.#waiting = { asked, settle };
    });
    const { timeoutSeconds, output } = this.#options;
    output.write(`${JSON.stringify({ ...question, timeout: timeoutSeconds })}\n`);
    if (early) this.#receive(asked, early);
    const abort = () => this.#settle({ kind: 'aborted' });
    signal.addEventListener('abort', abort);
    const timer = setTimeout(
      () => this.#settle({ kind: 'failed', message: `No answer within ${timeoutSeconds} s.` }),
      Math.min(timeoutSeconds * 1000, LONGEST_TIMER),
    );
    try {
      return await settled;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  }

  /** Lets go of the input, so that the process can end. */
  close(): void {
    for (const id of this.#early.keys()) {
      this.#options.report(`An answer to ${id} came, but the question was not asked any more.`);
    }
    this.#ended = 'The pipe is closed.';
    this.#options.input.destroy();
  }

  #line(raw: string): void {
    const line = (this.#isFirstLine ? raw.replace(/^\uFEFF/, '') : raw).trim();
    this.#isFirstLine = false;
    if (line === '') return;
    const given = readAnswerLine(line);
    if ('problem' in given) {
      this.#unusable(given.problem);
      return;
    }
    const asked = this.#asked.find(({ question, expectsByType }) =>
      given.id === undefined
        ? expectsByType && question.gap_type === given.gap_type
        : question.id === given.id,
    );
    if (asked) this.#receive(asked, given);
    else if (!this.#keep(given)) {
      const named = given.id === undefined ? given.gap_type : `${given.gap_type}, id ${given.id}`;
      this.#options.report(`An answer that fits no waiting question (${named}) was left aside.`);
    }
  }

  #receive(asked: Asked, given: QAAnswer): void {
    const reply = replyOf(asked.question, given);
    const isWaiting = this.#waiting?.asked === asked;
    if ('problem' in reply) {
      asked.expectsByType = false;
      if (isWaiting) this.#settle({ kind: 'failed', message: reply.problem });
      else this.#options.report(reply.problem);
      return;
    }
    this.#asked = this.#asked.filter((each) => each !== asked);
    if (isWaiting) this.#settle(reply);
    else this.#options.late(asked.question.id, reply);
  }

  /**
   * Several answers may come in one write. One without an id is kept only while no question waits: beside a question
   * that it does not fit it is a mistake.
   */
  #keep(given: QAAnswer): boolean {
    if (given.id === undefined && this.#waiting) return false;
    const fitting = this.#toCome.find(({ id, gap_type }) =>
      given.id === undefined ? gap_type === given.gap_type && !this.#early.has(id) : id === given.id,
    );
    if (fitting) this.#early.set(fitting.id, given);
    return fitting !== undefined;
  }

  /** A line that belongs to no question by its content is the parent's word to the one that waits. */
  #unusable(message: string): void {
    if (this.#waiting) {
      this.#waiting.asked.expectsByType = false;
      this.#settle({ kind: 'failed', message });
    } else this.#options.report(message);
  }

  #settle(end: PipeEnd): void {
    this.#waiting?.settle(end);
    this.#waiting = undefined;
  }

  #end(message: string): void {
    if (this.#ended !== undefined) return;
    this.#ended = message;
    this.#settle({ kind: 'failed', message });
  }
}
