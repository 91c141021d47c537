import type { Readable, Writable } from 'node:stream';
import { MAX_TIMER } from '../../config/duration.ts';
import { LineSplitter } from '../../files/line-splitter.ts';
import type { QAAnswer } from '../../schema/qa.ts';
import {
  type OnPipe,
  type PipeAsk,
  type PipeReply,
  readAnswerLine,
  replyOf,
  type Unusable,
  whoseAnswer,
  whyAmbiguous,
} from './answer-line.ts';
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
  /** An answer to a question that the pipe no longer waits for. */
  late(questionId: string, reply: PipeReply): void;
  /** A line that is no question's answer; `written` are the questions that the parent knows. */
  refused(why: string, written: PipeQuestion[]): void;
}

const MAX_LINE_LENGTH = 1024 * 1024;

/** Asks a parent process over two pipes, one question at a time, each with a deadline. */
export class PipeChannel {
  readonly #options: PipeOptions;
  /** Written or to come, in the order in which they are asked. */
  readonly #known: OnPipe[];
  #waiting: { of: OnPipe; settle(end: PipeEnd): void } | undefined;
  #isFirstLine = true;
  #ended: string | undefined;

  constructor(toCome: PipeAsk[], options: PipeOptions) {
    this.#options = options;
    this.#known = toCome.map((each) => ({ ...each, state: 'to come' }));
    const splitter = new LineSplitter(
      (bytes, start, end) => this.#line(bytes.toString('utf8', start, end)),
      (size) =>
        this.#unusable({
          problem: `The answer is a line of ${size} bytes; at most ${MAX_LINE_LENGTH} are allowed.`,
        }),
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

  /** Whether an answer can still come. */
  get isOpen(): boolean {
    return this.#ended === undefined;
  }

  /** Sends the question and waits for its answer. Does not wait after the end of input. */
  async ask(question: PipeAsk, signal: AbortSignal): Promise<PipeEnd> {
    const of = this.#find(question);
    const { early } = of;
    delete of.early;
    if (this.#ended !== undefined && !early) return { kind: 'failed', message: this.#ended };
    if (signal.aborted) return { kind: 'aborted' };
    of.state = 'waiting';
    const settled = new Promise<PipeEnd>((settle) => {
      this.#waiting = { of, settle };
    });
    const { timeoutSeconds, output } = this.#options;
    output.write(`${JSON.stringify({ ...question.asked, timeout: timeoutSeconds })}\n`);
    if (early) this.#receive(of, early);
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

  /** The question stays open although the parent replied to it, so another answer may come. */
  leave(question: PipeAsk): void {
    this.#leave(this.#find(question));
  }

  /** Releases the input, so that the process can end. */
  close(): void {
    for (const { asked, early } of this.#known) {
      if (early)
        this.#options.report(`An answer to ${asked.id} arrived, but the question is no longer open.`);
    }
    this.#ended = 'The pipe is closed.';
    this.#options.input.destroy();
  }

  #find({ asked, needsId }: PipeAsk): OnPipe {
    const found = this.#known.find((each) => each.asked.id === asked.id);
    if (found) return found;
    const added: OnPipe = { asked, needsId, state: 'to come' };
    this.#known.push(added);
    return added;
  }

  #line(raw: string): void {
    const line = (this.#isFirstLine ? raw.replace(/^\uFEFF/, '') : raw).trim();
    this.#isFirstLine = false;
    if (line === '') return;
    const given = readAnswerLine(line);
    if ('problem' in given) {
      this.#unusable(given);
      return;
    }
    const match = whoseAnswer(this.#known, given);
    switch (match.kind) {
      case 'written':
        this.#receive(match.of, given);
        return;
      case 'ahead':
        if (match.of.early)
          this.#options.report(`A newer answer to ${match.of.asked.id} replaces the earlier.`);
        match.of.early = given;
        return;
      case 'refused':
        this.#refuse(match.why);
        return;
      default:
        match satisfies never;
    }
  }

  #receive(of: OnPipe, given: QAAnswer): void {
    const reply = replyOf(of.asked, given);
    if ('help' in reply) this.#options.report(reply.help);
    else if (of !== this.#waiting?.of) this.#late(of, reply);
    else if ('problem' in reply) this.#settle({ kind: 'failed', message: reply.problem });
    else this.#settle(reply);
  }

  #late({ asked }: OnPipe, reply: PipeReply | { problem: string }): void {
    if ('problem' in reply) this.#options.report(`The answer to ${asked.id} is not stored. ${reply.problem}`);
    else this.#options.late(asked.id, reply);
  }

  /** A line that is not an answer counts as the reply to the question that waits, if an answer like it would. */
  #unusable({ problem, ...named }: Unusable): void {
    const match = whoseAnswer(this.#known, named);
    if (match.kind === 'written' && match.of === this.#waiting?.of)
      this.#settle({ kind: 'failed', message: problem });
    else this.#refuse(problem);
  }

  #refuse(why: string): void {
    const written = this.#known.filter(({ state }) => state !== 'to come').map(({ asked }) => asked);
    this.#options.refused(why, written);
  }

  #settle(end: PipeEnd): void {
    if (!this.#waiting) return;
    const { of, settle } = this.#waiting;
    this.#waiting = undefined;
    if (end.kind === 'failed' || end.kind === 'aborted') this.#leave(of);
    else of.state = 'answered';
    settle(end);
  }

  #leave(of: OnPipe): void {
    of.state = 'left';
    for (const each of this.#known) {
      const why = each.early && whyAmbiguous(this.#known, each.early);
      if (why === undefined) continue;
      delete each.early;
      this.#refuse(why);
    }
  }

  #end(message: string): void {
    if (this.#ended !== undefined) return;
    this.#ended = message;
    this.#settle({ kind: 'failed', message });
  }
}
