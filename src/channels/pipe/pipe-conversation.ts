import type { Readable, Writable } from 'node:stream';
import type { Ledger } from '../../ledger/ledger.ts';
import type { By, Channel } from '../../schema/actor.ts';
import { cmd } from '../../schema/command-line.ts';
import { FermataError } from '../../schema/error.ts';
import type { ResponseInput } from '../../schema/notification.ts';
import { questionTitle } from '../../schema/question-title.ts';
import { openControllingTerminal } from '../controlling-terminal.ts';
import { describeOutcome, describeSilence } from '../present.ts';
import { answerInTerminal } from '../terminal.ts';
import type { PipeReply } from './answer-line.ts';
import { PipeChannel } from './pipe-channel.ts';
import type { PipeItem, PipeQuestion } from './pipe-question.ts';

export interface ParentProcess {
  input: Readable;
  output: Writable;
  timeoutSeconds: number;
  /** For stderr. */
  report(message: string): void;
}

type Stored =
  | { kind: 'stored' }
  /** The answer cannot be used, and the question stays open. */
  | { kind: 'invalid'; message: string }
  /** Another answer came first, or nobody needs one any longer. */
  | { kind: 'lost'; message: string };

/**
 * Asks questions of the ledger over a pipe and stores each answer before it sends the next question. Skips what is
 * answered on another channel meanwhile. Asks in the controlling terminal what the parent does not answer; without one,
 * the question stays open.
 */
export class PipeConversation {
  readonly #ledger: Ledger;
  /** Everything announced or asked, by the id that the parent knows. */
  readonly #items: Map<string, PipeItem>;
  readonly #by: (channel: Channel) => By;
  readonly #parent: ParentProcess;
  readonly #channel: PipeChannel;
  readonly #storing = new Set<Promise<unknown>>();

  /** The `announced` questions are asked later, so their answers may come early. */
  constructor(ledger: Ledger, announced: PipeItem[], by: (channel: Channel) => By, parent: ParentProcess) {
    this.#ledger = ledger;
    this.#items = new Map(announced.map((item) => [item.asked.id, item]));
    this.#by = by;
    this.#parent = parent;
    this.#channel = new PipeChannel(announced, {
      ...parent,
      late: (id, reply) => this.#takeLate(id, reply),
      refused: (why, written) => this.#refuse(why, written),
    });
  }

  /** Whether the parent can still answer. */
  get isOpen(): boolean {
    return this.#channel.isOpen;
  }

  /** Asks each question once. False if a person interrupted it, in the terminal or through the signal. */
  async askAll(items: PipeItem[], signal: AbortSignal): Promise<boolean> {
    for (const item of items) {
      this.#items.set(item.asked.id, item);
      if (signal.aborted) return false;
      if (await this.#isSettled(item)) continue;
      if (!(await this.#ask(item, signal))) return false;
    }
    await Promise.all(this.#storing);
    return !signal.aborted;
  }

  /** Ends it and stores the answers that arrived so far. */
  async close(): Promise<void> {
    this.#channel.close();
    await Promise.all(this.#storing);
  }

  async #ask(item: PipeItem, signal: AbortSignal): Promise<boolean> {
    const { projectId, id } = item.of;
    const over = new AbortController();
    const elsewhere = new AbortController();
    const settled = this.#ledger.notifications
      .wait(projectId, id, AbortSignal.any([over.signal, signal]))
      .then((now) => {
        if (!now || over.signal.aborted) return;
        this.#parent.report(`${item.asked.id} was settled elsewhere: ${describeOutcome(now)}.`);
        elsewhere.abort();
      });
    // If the store cannot be read any more, storing the answer reports it.
    settled.catch(() => undefined);
    try {
      const end = await this.#channel.ask(item, AbortSignal.any([elsewhere.signal, signal]));
      over.abort();
      if (end.kind === 'aborted') return !signal.aborted;
      if (end.kind === 'failed') return await this.#askInTerminal(item, end.message, signal);
      const stored = await this.#store(item, end);
      if (stored.kind === 'lost') this.#parent.report(`Not stored: ${stored.message}`);
      if (stored.kind !== 'invalid') return true;
      this.#channel.leave(item);
      return await this.#askInTerminal(item, stored.message, signal);
    } finally {
      over.abort();
      await settled;
    }
  }

  async #askInTerminal(item: PipeItem, why: string, signal: AbortSignal): Promise<boolean> {
    const { report } = this.#parent;
    const terminal = openControllingTerminal();
    if (!terminal) {
      report(`${why} Question ${item.asked.id} stays open: ${cmd`answer ${item.of.id} VALUE`}`);
      return true;
    }
    report(`${why} Asking question ${item.asked.id} in the terminal instead.`);
    try {
      const by = this.#by('terminal');
      const { interrupted } = await answerInTerminal(this.#ledger, [item.of], by, terminal, signal);
      return !interrupted;
    } finally {
      terminal.close();
    }
  }

  #takeLate(id: string, reply: PipeReply): void {
    const item = this.#items.get(id);
    if (!item) return;
    const { report } = this.#parent;
    const stored = this.#store(item, reply).catch((error: Error) => ({
      kind: 'lost' as const,
      message: error.message,
    }));
    this.#alongside(
      stored.then((end) =>
        report(end.kind === 'stored' ? `Stored the late answer to ${id}.` : `Not stored: ${end.message}`),
      ),
    );
  }

  #refuse(why: string, written: PipeQuestion[]): void {
    const items = written.flatMap(({ id }) => this.#items.get(id) ?? []);
    const tell = (open: PipeItem[]) => this.#parent.report(`Answer refused. ${why} ${idsOf(open)}`);
    this.#alongside(this.#openAmong(items).then(tell, () => tell([])));
  }

  async #openAmong(items: PipeItem[]): Promise<PipeItem[]> {
    const settled = await Promise.all(items.map((item) => this.#isSettled(item)));
    return items.filter((_, at) => !settled[at]);
  }

  /** Work that the conversation waits for only when it ends. */
  #alongside(work: Promise<unknown>): void {
    this.#storing.add(work);
    void work.then(() => this.#storing.delete(work));
  }

  async #store({ of, question }: PipeItem, reply: PipeReply): Promise<Stored> {
    const by = this.#by('pipe');
    const { notifications } = this.#ledger;
    try {
      if (reply.kind === 'accept') {
        const accepted = await notifications.acceptProposal(of.projectId, of.id, by);
        this.#parent.report(`Accepted: ${of.id}. ${describeSilence(accepted.notification)}`);
        return { kind: 'stored' };
      }
      const response: ResponseInput =
        reply.kind === 'skip'
          ? { questionId: question.id, skipped: true }
          : { questionId: question.id, answer: reply.answer };
      await notifications.resolve(of.projectId, of.id, { responses: [response] }, by);
      return { kind: 'stored' };
    } catch (error) {
      if (!(error instanceof FermataError)) throw error;
      const { code, message } = error;
      if (code === 'invalid') return { kind: 'invalid', message };
      if (code === 'conflict' || code === 'gone') return { kind: 'lost', message };
      throw error;
    }
  }

  async #isSettled({ of, question }: PipeItem): Promise<boolean> {
    const now = await this.#ledger.notifications.get(of.projectId, of.id);
    return now.status !== 'open' || now.responses.some(({ questionId }) => questionId === question.id);
  }
}

/** The rest are in the inbox. */
const MAX_NAMED = 20;

function idsOf(open: PipeItem[]): string {
  if (open.length === 0) return 'No question is open.';
  const lines = open
    .slice(-MAX_NAMED)
    .map(
      ({ asked: { id }, question }) =>
        `\n  ${id}: ${questionTitle(question).replace(/\s+/g, ' ').slice(0, 200)}`,
    );
  return `Send the id of an open question:${lines.join('')}`;
}
