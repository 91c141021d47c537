import type { Readable, Writable } from 'node:stream';
import { MAX_TIMER } from '../../config/duration.ts';
import type { QAAnswer } from '../../schema/qa.ts';
import { LineSplitter } from '../line-splitter.ts';
import { type PipeReply, readAnswerLine, replyOf } from './answer-line.ts';
import type { PipeQuestion } from './pipe-question.ts';

/** The result of a question to the parent process. */
export type PipeEnd =
  | PipeReply
  /** No usable answer came, so the question has to be asked elsewhere. */
  | { kind: 'failed'; message: string }
  /** Nobody waits for it any longer. */
  | { kind: 'aborted' };

export interface PipeOptions {
  input: Readable;
  output: Writable;
  timeoutSeconds: number;
  /** For logs and errors; the output only ever has questions. */
  report(message: string): void;
  /** An answer to a question that nobody waits for any longer. */
  late(questionId: string, reply: PipeReply): void;
  /** An answer that belongs to no question; `asked` were sent and not answered here. */
  refused(why: string, asked: PipeQuestion[]): void;
}

const MAX_LINE_LENGTH = 1024 * 1024;

/**
 * Asks a parent process over two pipes, one question at a time, each with a deadline. An answer belongs to the question
 * that it names; without a name, to the last question while that is waiting. Anything else is refused.
 */
export class PipeChannel {
  readonly #options: PipeOptions;
  #toCome: PipeQuestion[];
  /** Sent, but not answered by the parent. */
  readonly #asked = new Map<string, PipeQuestion>();
  /** Answers that came before their questions, keyed by question id. */
  readonly #early = new Map<string, QAAnswer>();
  #waiting: { question: PipeQuestion; settle(end: PipeEnd): void } | undefined;
  #isFirstLine = true;
  #ended: string | undefined;

  constructor(toCome: PipeQuestion[], options: PipeOptions) {
    this.#options = options;
    this.#toCome = toCome;
    const splitter = new LineSplitter(
      (bytes, start, end) => this.#line(bytes.toString('utf8', start, end)),
      (size) =>
        this.#unusable(`The answer is a line of ${size} bytes; at most ${MAX_LINE_LENGTH} are allowed.`),
      MAX_LINE_LENGTH,
    );
    const end = () => {
      if (this.#ended === undefined) splitter.end();
      this.#end('The parent process has closed its end of the pipe.');
    };
    options.input.on('data', (chunk: Buffer) => splitter.push(chunk));
    options.input.once('end', end).once('close', end).once('error', end);
    options.output.on('error', () => this.#end('The parent process no longer reads questions.'));
  }

  /** Sends the question and waits for its answer. Does not wait after the end of input. */
  async ask(question: PipeQuestion, signal: AbortSignal): Promise<PipeEnd> {
    const early = this.#early.get(question.id);
    this.#early.delete(question.id);
    this.#toCome = this.#toCome.filter(({ id }) => id !== question.id);
    if (this.#ended !== undefined && !early) return { kind: 'failed', message: this.#ended };
    if (signal.aborted) return { kind: 'aborted' };
    this.#asked.set(question.id, question);
    const settled = new Promise<PipeEnd>((settle) => {
      this.#waiting = { question, settle };
    });
    const { timeoutSeconds, output } = this.#options;
    output.write(`${JSON.stringify({ ...question, timeout: timeoutSeconds })}\n`);
    if (early) this.#receive(question, early);
    const abort = () => this.#settle({ kind: 'aborted' });
    signal.addEventListener('abort', abort);
    const timer = setTimeout(
      () => this.#settle({ kind: 'failed', message: `No answer within ${timeoutSeconds} s.` }),
      Math.min(timeoutSeconds * 1000, MAX_TIMER),
    );
    try {
      return await settled;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  }

  /** Releases the input, so that the process can end. */
  close(): void {
    for (const id of this.#early.keys()) {
      this.#options.report(`An answer to ${id} arrived, but the question is no longer open.`);
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
    const question = given.id === undefined ? this.#last(given) : this.#asked.get(given.id);
    if (question) this.#receive(question, given);
    else if (!this.#keep(given)) this.#options.refused(this.#whyRefused(given), [...this.#asked.values()]);
  }

  /** The last question, if it is waiting and has the answer's gap type. */
  #last({ gap_type }: QAAnswer): PipeQuestion | undefined {
    const question = this.#waiting?.question;
    return question?.gap_type === gap_type ? question : undefined;
  }

  #whyRefused({ id, gap_type }: QAAnswer): string {
    if (id !== undefined) return `Unknown question id ${id}.`;
    const last = this.#waiting?.question;
    return last
      ? `The last question is about ${last.gap_type}, not ${gap_type}.`
      : 'The answer has no id, and the last question is no longer waiting.';
  }

  #receive(question: PipeQuestion, given: QAAnswer): void {
    const reply = replyOf(question, given);
    if ('help' in reply) {
      this.#options.report(reply.help);
      return;
    }
    const isWaiting = this.#waiting?.question === question;
    if ('problem' in reply) {
      if (isWaiting) this.#settle({ kind: 'failed', message: reply.problem });
      else this.#options.report(reply.problem);
      return;
    }
    this.#asked.delete(question.id);
    if (isWaiting) this.#settle(reply);
    else this.#options.late(question.id, reply);
  }

  /**
   * Several answers may arrive in one write, before their questions. One without an id is kept only while nothing waits
   * and all questions so far were answered here; otherwise it may belong to one of those.
   */
  #keep(given: QAAnswer): boolean {
    if (given.id === undefined && this.#asked.size > 0) return false;
    const fitting = this.#toCome.find(({ id, gap_type }) =>
      given.id === undefined ? gap_type === given.gap_type && !this.#early.has(id) : id === given.id,
    );
    if (fitting) this.#early.set(fitting.id, given);
    return fitting !== undefined;
  }

  /** A line that matches no question counts as the parent's reply to the one that waits. */
  #unusable(message: string): void {
    if (this.#waiting) this.#settle({ kind: 'failed', message });
    else this.#options.report(message);
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
