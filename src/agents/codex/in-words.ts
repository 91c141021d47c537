import type { Notification } from '../../schema/notification.ts';
import type { Ask } from '../driver.ts';
import { restated } from '../questions/answer-text.ts';
import { proseId, proseQuestions } from '../questions/prose-question.ts';

interface Told {
  text: string;
  /** Called with whether it was sent. */
  said: (isSaid: boolean) => void;
}

/** What begins the agent's next turn: notes, and answers to questions in plain text at the end of a turn. */
export class InWords {
  /** Keyed by the id of the question; undefined until a person answers. */
  readonly #asked = new Map<string, Told | undefined>();
  #notes: Told[] = [];
  /** The agent's last message in the current turn. */
  #message: { id: string; text: string } | undefined;

  /** A person still has to answer. */
  get isWaiting(): boolean {
    return [...this.#asked.values()].includes(undefined);
  }

  has(id: string): boolean {
    return this.#asked.has(id);
  }

  turnStarted(): void {
    this.#message = undefined;
  }

  message(id: string, text: string): void {
    this.#message = { id, text };
  }

  /** The questions with which the agent's turn ended. */
  lastAsked(): Ask | undefined {
    const questions = proseQuestions(this.#message?.text ?? '');
    if (questions.length === 0) return undefined;
    const id = proseId(String(this.#message?.id));
    this.#asked.set(id, undefined);
    return { id, questions, prose: true };
  }

  /** Resolves to whether the answer was sent. */
  answer(id: string, settled: Notification): Promise<boolean> {
    return new Promise((said) => this.#asked.set(id, { text: restated([settled]), said }));
  }

  note(text: string): Promise<boolean> {
    return new Promise((said) => this.#notes.push({ text, said }));
  }

  /** Everything as one message; undefined if there is nothing to send or an answer is missing. */
  say(): string | undefined {
    const told = [...this.#asked.values(), ...this.#notes].flatMap((each) => each ?? []);
    if (told.length === 0 || this.isWaiting) return undefined;
    this.#asked.clear();
    this.#notes = [];
    for (const { said } of told) said(true);
    return told.map(({ text }) => text).join('\n');
  }

  close(): void {
    for (const told of [...this.#notes, ...this.#asked.values()]) told?.said(false);
  }
}
