import type { Ledger } from '../ledger/ledger.ts';
import { refuseWrongDecision } from '../ledger/notifications/gate.ts';
import { FermataError } from '../schema/error.ts';
import type { Notification, ResponseInput } from '../schema/notification.ts';
import type { Answer, Question } from '../schema/question.ts';
import { visible } from '../schema/visible.ts';
import { colorsOn } from './colors.ts';
import { isIrrelevant, mustAnswer } from './gate-words.ts';
import type { LineReader } from './line-reader.ts';
import { describeAnswer, describeOutcome, howToReply, presentQuestion } from './present.ts';
import { ACCEPT, fillBlank, type Reply, readReply } from './reply.ts';
import { wrap } from './wrap.ts';

/** A question in the terminal, and the person's response. */
export interface Item {
  of: Notification;
  question: Question;
  response?: ResponseInput;
  /** The person accepts what the agent proposed in case nobody answers. */
  accepted?: true;
}

/** The rows that the prompt and what stays above it need. */
const ROOM = 10;

const HOW_TO_ACCEPT = `; "${ACCEPT}" accepts the proposal`;

/** Asks the questions of one asker, one after another, and lets the person change the answers before they are sent. */
export class Dialog {
  readonly #items: Item[];
  readonly #ledger: Ledger;
  readonly #reader: LineReader;
  readonly #output: NodeJS.WriteStream;
  readonly #signal: AbortSignal | undefined;
  readonly #colors;
  readonly #place: { before: number; total: number };
  readonly #confirmsOne: boolean;
  /** The notifications that somebody else has settled meanwhile. */
  readonly #settledElsewhere = new Set<string>();

  constructor(
    ledger: Ledger,
    reader: LineReader,
    output: NodeJS.WriteStream,
    items: Item[],
    place: { before: number; total: number },
    signal: AbortSignal | undefined,
    confirmsOne: boolean,
  ) {
    this.#ledger = ledger;
    this.#reader = reader;
    this.#output = output;
    this.#signal = signal;
    this.#colors = colorsOn(output);
    this.#place = place;
    this.#items = items;
    this.#confirmsOne = confirmsOne;
  }

  /** False if the person interrupted it. */
  async askAll(): Promise<boolean> {
    const asked: number[] = [];
    for (let at = 0; at < this.#items.length; at++) {
      const item = this.#items[at];
      if (!item || this.#signal?.aborted) return true;
      if (this.#settledElsewhere.has(item.of.id) || this.#isAccepted(item.of)) continue;
      if (isIrrelevant(item.question.id, this.#saidTo(item.of))) {
        item.response = skipped(item.question);
        continue;
      }
      const said = await this.#ask(item, asked.length > 0);
      if (said === 'broken off') return false;
      if (said === 'said') asked.push(at);
      else at = (asked.pop() ?? at) - 1;
    }
    return true;
  }

  #isAccepted({ id }: Notification): boolean {
    return this.#items.some(({ of, accepted }) => accepted && of.id === id);
  }

  #saidTo({ id, kind }: Notification): ResponseInput[] {
    const own = this.#items.filter(({ of }) => kind === 'gate' && of.id === id);
    return own.flatMap(({ response }) => response ?? []);
  }

  /** Shows all answers as they will be stored, and lets the person change any of them. */
  async review(): Promise<boolean> {
    for (;;) {
      const answered = this.#items.filter(
        ({ of, response }) => response !== undefined && !this.#settledElsewhere.has(of.id),
      );
      if (answered.length < (this.#confirmsOne ? 1 : 2)) return true;
      const isOne = answered.length === 1;
      const heading = isOne ? 'Your answer' : 'Your answers';
      this.#say(['', this.#colors.bold(heading), ...answered.map((item, i) => this.#line(item, i))]);
      const prompt = isOne
        ? 'Enter to save, back to change › '
        : 'Enter to send, or a number to change one › ';
      const line = await this.#reader.read(prompt, this.#signal);
      if (typeof line !== 'string') {
        // An answer that was shown but not confirmed may be the mistake that the person wants to undo.
        if (isOne) for (const item of answered) item.response = undefined;
        return line.none === 'aborted';
      }
      if (line.trim() === '') {
        const problem = problemIn(answered);
        if (problem === undefined) return true;
        this.#say([visible(problem)]);
        continue;
      }
      const chosen = line.trim() === 'back' ? answered.at(-1) : answered[Number(line.trim()) - 1];
      if (!chosen) this.#say([`${prompt.replace(' › ', '')}.`]);
      else if ((await this.#ask(chosen, true)) === 'broken off') return false;
    }
  }

  /** `back`: the person wants to return to the previous question. */
  async #ask(item: Item, canGoBack: boolean): Promise<'said' | 'back' | 'broken off'> {
    const { of, question } = item;
    const { before, total } = this.#place;
    const place = total > 1 ? `${before + this.#items.indexOf(item) + 1} of ${total}` : '';
    const shown = presentQuestion(of, question, place, this.#colors, this.#output.columns);
    this.#say(shown);
    // What it is about may have scrolled away.
    const isLong = shown.length > (this.#output.rows || 24) - ROOM;
    const subject = isLong ? ` · ${cutTitle(question.text)}` : '';
    const accept = of.proposal ? HOW_TO_ACCEPT : '';
    this.#say([this.#colors.dim(`${howToReply(question, of.kind)}${accept}${subject}`)]);
    const watch = this.#watch(of);
    let begun: Extract<Reply, { kind: 'blank' }> | undefined;
    try {
      for (;;) {
        const line = await this.#reader.read(begun ? 'Complete it: ' : '› ', watch.signal);
        if (typeof line !== 'string') {
          if (line.none === 'interrupted') return 'broken off';
          await watch.explain();
          return 'said';
        }
        if (of.proposal && line.trim() === ACCEPT) {
          item.accepted = true;
          return 'said';
        }
        const reply = begun ? fillBlank(begun, line, question) : readReply(line, question, of.kind);
        begun = reply.kind === 'blank' ? reply : undefined;
        if (reply.kind === 'back') {
          if (canGoBack) return 'back';
          this.#say(['This is the first question.']);
          continue;
        }
        if (reply.kind === 'unclear' || reply.kind === 'blank') {
          this.#say([reply.kind === 'blank' ? visible(reply.label) : reply.message]);
          continue;
        }
        item.response =
          reply.kind === 'skip' ? skipped(question) : { questionId: question.id, answer: reply.answer };
        if (reply.kind === 'answer') this.#echo(reply.answer, line);
        if (!mustAnswer(of, question.id, this.#saidTo(of))) return 'said';
        this.#say(['Say what to change, because the agent cannot guess it.']);
      }
    } finally {
      await watch.stop();
    }
  }

  /** What a number or Enter stands for. */
  #echo(answer: Answer, typed: string): void {
    const said = describeAnswer(answer);
    if (said !== typed.trim()) this.#say([`→ ${said}`]);
  }

  /** Detects that somebody else settles the notification while the person is typing. */
  #watch(of: Notification) {
    const stop = new AbortController();
    const settled = new AbortController();
    const outer = this.#signal;
    const waiting = this.#ledger.notifications.wait(of.projectId, of.id, stop.signal).then((now) => {
      if (now) settled.abort(now);
      return now;
    });
    // If the store cannot be read any more, sending the answers reports it; until then they are kept here.
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
    return `  ${index + 1}. ${cutTitle(item.question.text)} → ${this.#colors.bold(said)}`;
  }

  #say(lines: string[]): void {
    this.#output.write(`${wrap(lines.join('\n'), this.#output.columns)}\n`);
  }
}

function cutTitle(text: string): string {
  const [line = ''] = visible(text).split('\n');
  return line.length > 70 ? `${line.slice(0, 69)}…` : line;
}

/** Why answers that are each valid cannot be sent together. */
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
