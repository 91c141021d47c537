import type { Notification } from '../../schema/notification.ts';
import { restated } from '../questions/answer-text.ts';
import type { Action } from './dialogue.ts';

/** Answers that are sent as a message that repeats the question, because no call waits for them. */
export class Words {
  readonly #waiting = new Set<string>();
  readonly #settled: Map<string, Notification>;
  #said: string[] = [];

  constructor(settled: ReadonlyMap<string, Notification>) {
    this.#settled = new Map(settled);
  }

  /** A person still has to answer. */
  get isWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  get isReady(): boolean {
    return this.#waiting.size === 0 && this.#settled.size > 0;
  }

  ask(id: string): void {
    this.#waiting.add(id);
  }

  awaits(id: string): boolean {
    return this.#waiting.has(id);
  }

  /** True if the answer is expected or on its way. */
  knows(id: string): boolean {
    return this.#waiting.has(id) || this.#settled.has(id) || this.#said.includes(id);
  }

  settle(id: string, settled: Notification): void {
    this.#waiting.delete(id);
    this.#settled.set(id, settled);
  }

  /** Removes a settled answer, if there is one, because it is delivered another way. */
  take(id: string): Notification | undefined {
    const settled = this.#settled.get(id);
    this.#settled.delete(id);
    return settled;
  }

  /** All settled answers as one message. */
  say(): string {
    const text = restated([...this.#settled.values()]);
    this.#said.push(...this.#settled.keys());
    this.#settled.clear();
    return text;
  }

  /** The agent has begun to work on the message. */
  taken(): Action[] {
    const said = this.#said;
    this.#said = [];
    return said.map((askId) => ({ do: 'delivered', askId, delivered: true }));
  }
}
