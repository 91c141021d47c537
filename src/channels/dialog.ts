import type { Ledger } from '../ledger/ledger.ts';
import { refuseWrongDecision } from '../ledger/machine/gate.ts';
import { FermataError } from '../schema/error.ts';
import type { Notification, ResponseInput } from '../schema/notification.ts';
import type { Question } from '../schema/question.ts';
import { colorsOn } from './colors.ts';
import { isMoot, mustSay } from './gate-words.ts';
import type { LineReader } from './line-reader.ts';
import { describeAnswer, describeOutcome, howToReply, presentQuestion } from './present.ts';
import { printable } from './printable.ts';
import { fillBlank, type Reply, readReply } from './reply.ts';

/** A question that is asked in the terminal, and what the person said to it. */
export interface Item {
  of: Notification;
  question: Question;
  response?: ResponseInput;
}

/** Asks what one asker wants to know, one question after the other, and lets the answers be changed before they are sent. */
export class Dialog {
  readonly #items: Item[];
  readonly #ledger: Ledger;
  readonly #reader: LineReader;
  readonly #output: NodeJS.WriteStream;
  readonly #signal: AbortSignal | undefined;
  readonly #colors;
  readonly #place: { before: number; total: number };
  /** The notifications that somebody else has settled meanwhile. */
  readonly #settledElsewhere = new Set<string>();

  constructor(
    ledger: Ledger,
    reader: LineReader,
    output: NodeJS.WriteStream,
    items: Item[],
    place: { before: number; total: number },
    signal: AbortSignal | undefined,
  ) {
    this.#ledger = ledger;
    this.#reader = reader;
    this.#output = output;
    this.#signal = signal;
    this.#colors = colorsOn(output);
    this.#place = place;
    this.#items = items;
  }

  /** False when the person broke it off. */
  async askAll(): Promise<boolean> {
    for (const item of this.#items) {
      if (this.#signal?.aborted) return true;
      if (this.#settledElsewhere.has(item.of.id)) continue;
      if (isMoot(item.question.id, this.#saidTo(item.of))) item.response = skipped(item.question);
      else if (!(await this.#ask(item))) return false;
    }
    return true;
  }

  #saidTo({ id, source }: Notification): ResponseInput[] {
    const own = this.#items.filter(({ of }) => source === 'gate' && of.id === id);
    return own.flatMap(({ response }) => response ?? []);
  }

  /** Shows all answers and lets any of them be changed. One answer needs no review: it was just typed. */
  async review(): Promise<boolean> {
    for (;;) {
      const answered = this.#items.filter(
        ({ of, response }) => response !== undefined && !this.#settledElsewhere.has(of.id),
      );
      if (answered.length < 2) return true;
      this.#say(['', this.#colors.bold('Your answers'), ...answered.map((item, i) => this.#line(item, i))]);
      const line = await this.#reader.read('Enter sends them, a number changes one › ', this.#signal);
      if (typeof line !== 'string') return line.none === 'aborted';
      if (line.trim() === '') {
        const problem = problemIn(answered);
        if (problem === undefined) return true;
        this.#say([printable(problem)]);
        continue;
      }
      const chosen = answered[Number(line.trim()) - 1];
      if (!chosen) this.#say([`There is no answer ${printable(line.trim())}.`]);
      else if (!(await this.#ask(chosen))) return false;
    }
  }

  async #ask(item: Item): Promise<boolean> {
    const { of, question } = item;
    const { before, total } = this.#place;
    const place = total > 1 ? `${before + this.#items.indexOf(item) + 1} of ${total}` : '';
    this.#say(presentQuestion(of, question, place, this.#colors));
    this.#say([this.#colors.dim(howToReply(question, of.source))]);
    const watch = this.#watch(of);
    let begun: Extract<Reply, { kind: 'blank' }> | undefined;
    try {
      for (;;) {
        const line = await this.#reader.read(begun ? 'Complete it: ' : '› ', watch.signal);
        if (typeof line !== 'string') {
          if (line.none === 'interrupted') return false;
          await watch.explain();
          return true;
        }
        const reply = begun ? fillBlank(begun, line, question) : readReply(line, question, of.source);
        begun = reply.kind === 'blank' ? reply : undefined;
        if (reply.kind === 'unclear' || reply.kind === 'blank') {
          this.#say([reply.kind === 'blank' ? printable(reply.label) : reply.message]);
          continue;
        }
        item.response =
          reply.kind === 'skip' ? skipped(question) : { questionId: question.id, answer: reply.answer };
        if (!mustSay(of, question.id, this.#saidTo(of))) return true;
        this.#say(['The agent cannot guess it: say what has to change.']);
      }
    } finally {
      await watch.stop();
    }
  }

  /** Notices when somebody else settles the notification while the person is still typing. */
  #watch(of: Notification) {
    const stop = new AbortController();
    const settled = new AbortController();
    const outer = this.#signal;
    const waiting = this.#ledger.notifications.wait(of.projectId, of.id, stop.signal).then((now) => {
      if (now) settled.abort(now);
      return now;
    });
    // A store that cannot be read any more is met when the answers are sent; until then they are kept here.
    waiting.catch(() => undefined);
    const signal = outer ? AbortSignal.any([settled.signal, outer]) : settled.signal;
    return {
      signal,
      explain: async () => {
        if (!settled.signal.aborted) return;
        const now = await waiting;
        this.#settledElsewhere.add(of.id);
        this.#say([`Settled elsewhere: ${now ? describeOutcome(now) : 'no longer open'}.`]);
      },
      stop: async () => {
        stop.abort();
        await waiting.catch(() => undefined);
      },
    };
  }

  #line(item: Item, index: number): string {
    const { response } = item;
    const said = response && 'answer' in response ? describeAnswer(response.answer) : '(skipped)';
    const text = printable(item.question.text).split('\n')[0] ?? '';
    return `  ${index + 1}. ${text.length > 70 ? `${text.slice(0, 69)}…` : text} → ${this.#colors.bold(said)}`;
  }

  #say(lines: string[]): void {
    this.#output.write(`${lines.join('\n')}\n`);
  }
}

/** Why answers that each are fine cannot be sent together. */
function problemIn(items: Item[]): string | undefined {
  for (const of of new Set(items.map((item) => item.of))) {
    const said = items.flatMap((item) => (item.of === of && item.response) || []);
    try {
      refuseWrongDecision(of, said);
    } catch (error) {
      if (error instanceof FermataError) return error.message;
      throw error;
    }
  }
  return undefined;
}

const skipped = ({ id }: Question): ResponseInput => ({ questionId: id, skipped: true });
