import { createColors } from 'picocolors';
import type { Ledger } from '../ledger/ledger.ts';
import { isFinal } from '../ledger/machine/notification.ts';
import type { Settled } from '../ledger/settle.ts';
import type { By } from '../schema/actor.ts';
import { FermataError } from '../schema/error.ts';
import type { Notification, ResponseInput } from '../schema/notification.ts';
import type { Question } from '../schema/question.ts';
import { LineReader } from './line-reader.ts';
import { describeAnswer, howToReply, presentQuestion } from './present.ts';
import { printable } from './printable.ts';
import { fillBlank, type Reply, readReply } from './reply.ts';

export interface TerminalResult {
  settled: Settled[];
  /** Ctrl-C or the end of input: what was answered until then is stored. */
  interrupted: boolean;
  /** What could not be sent, such as an answer that came second. */
  refused: FermataError[];
}

export interface TerminalIo {
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
}

interface Item {
  of: Notification;
  question: Question;
  response?: ResponseInput;
}

/**
 * Asks a person at a terminal, one question after the other. Several answers to one asker are reviewed before they are
 * sent; then they are stored, and the next asker's come. What is settled elsewhere in the meantime is passed over.
 */
export async function answerInTerminal(
  ledger: Ledger,
  notifications: Notification[],
  by: By,
  io: TerminalIo,
  signal?: AbortSignal,
): Promise<TerminalResult> {
  const reader = new LineReader(io.input, io.output);
  const hangUp = () => reader.interrupt();
  process.once('SIGTERM', hangUp).once('SIGHUP', hangUp);
  // A terminal that is gone cannot show anything; what was answered is stored all the same.
  io.output.on('error', hangUp);
  const result: TerminalResult = { settled: [], refused: [], interrupted: false };
  const total = notifications.flatMap(openQuestions).length;
  let before = 0;
  try {
    for (const listed of byAsker(notifications)) {
      // An asker goes on as soon as all that it asked is answered, and what was settled meanwhile is not asked.
      const items: Item[] = [];
      for (const { projectId, id } of listed)
        items.push(...openItems(await ledger.notifications.get(projectId, id)));
      const dialog = new Dialog(ledger, reader, io.output, items, { before, total }, signal);
      result.interrupted = !((await dialog.askAll()) && (await dialog.review()));
      for (const { id } of listed) {
        const own = items.filter(({ of }) => of.id === id);
        await send(ledger, own, by, result, io.output);
      }
      if (result.interrupted) break;
      before += listed.flatMap(openQuestions).length;
    }
    return result;
  } finally {
    process.off('SIGTERM', hangUp).off('SIGHUP', hangUp);
    reader.close();
    io.output.off('error', hangUp);
  }
}

function openQuestions({ questions, responses }: Notification): Question[] {
  return questions.filter((question) => !responses.some((response) => response.questionId === question.id));
}

function openItems(of: Notification): Item[] {
  return isFinal(of.status) ? [] : openQuestions(of).map((question) => ({ of, question }));
}

/** What one asker asked in a row is answered, reviewed and sent together. */
function byAsker(notifications: Notification[]): Notification[][] {
  const groups: Notification[][] = [];
  for (const each of notifications) {
    const last = groups.at(-1);
    const isSame = (['projectId', 'source', 'sourceId'] as const).every(
      (key) => last?.[0]?.[key] === each[key],
    );
    if (last && isSame) last.push(each);
    else groups.push([each]);
  }
  return groups;
}

class Dialog {
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
    this.#colors = createColors(output.isTTY && !process.env.NO_COLOR);
    this.#place = place;
    this.#items = items;
  }

  /** False when the person broke it off. */
  async askAll(): Promise<boolean> {
    for (const item of this.#items) {
      if (this.#signal?.aborted) return true;
      if (this.#settledElsewhere.has(item.of.id)) continue;
      if (!(await this.#ask(item))) return false;
    }
    return true;
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
      if (line.trim() === '') return true;
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
          reply.kind === 'skip'
            ? { questionId: question.id, skipped: true }
            : { questionId: question.id, answer: reply.answer };
        return true;
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

export function describeOutcome(of: Notification): string {
  const by = of.resolvedBy;
  const who = by
    ? `${by.actor.kind === 'policy' ? 'policy ' : ''}${by.actor.name} (${by.channel})`
    : 'somebody';
  const answers = of.responses.flatMap((r) => (r.kind === 'answered' ? [describeAnswer(r.answer)] : []));
  const what =
    of.outcome === 'answered' ? answers.join('; ') : `${of.outcome}${of.reason ? `: ${of.reason}` : ''}`;
  return printable(`${who}: ${what}`);
}

async function send(
  ledger: Ledger,
  items: Item[],
  by: By,
  result: TerminalResult,
  output: NodeJS.WriteStream,
): Promise<void> {
  const [first] = items;
  const responses = items.flatMap((item) => item.response ?? []);
  if (!first || responses.length === 0) return;
  const { projectId, id } = first.of;
  try {
    result.settled.push(await ledger.notifications.resolve(projectId, id, { responses }, by));
  } catch (error) {
    if (!(error instanceof FermataError)) throw error;
    result.refused.push(error);
    output.write(`Not stored: ${printable(error.message)}\n`);
  }
}
