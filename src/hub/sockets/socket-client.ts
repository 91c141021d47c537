import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import type { Ledger } from '../../ledger/ledger.ts';
import { type EventFeed, encode, type Listener } from './event-feed.ts';

/** More than this not yet taken by the other end, and it is cut off: it comes back with its cursor. */
const MOST_WAITING = 1024 * 1024;
/** How long one that was told to go has to go by itself. */
export const LAST_WORDS_MS = 2000;
/** An event may be as large as a notification. */
const PAGE = 50;

/** Our reasons to close a socket, in the range that is free for applications. */
export const closeCodes = { stopping: 1001, revoked: 4401, slow: 4408, failed: 4500 } as const;

/** One open socket: first what it missed, then what comes. */
export class SocketClient implements Listener {
  readonly #socket: WebSocket;
  readonly #ledger: Ledger;
  readonly #feed: EventFeed;
  /** Up to where each of its projects was sent. */
  readonly #sent: Map<string, number>;
  /** Those of which it has everything that was told so far. */
  readonly #live = new Set<string>();
  /** Whether it hears all projects, also those that do not exist yet. */
  readonly #all: boolean;

  constructor(socket: WebSocket, ledger: Ledger, feed: EventFeed, after: Map<string, number>, all: boolean) {
    this.#socket = socket;
    this.#ledger = ledger;
    this.#feed = feed;
    this.#sent = after;
    this.#all = all;
  }

  /** Sends what came after the cursors, then joins those who hear what is new. */
  async start(): Promise<void> {
    for (const projectId of this.#sent.keys()) await this.#catchUp(projectId);
  }

  hears(projectId: string): boolean {
    return this.#live.has(projectId) || (this.#all && !this.#sent.has(projectId));
  }

  tell(projectId: string, number: number, message: Buffer): void {
    if (number <= (this.#sent.get(projectId) ?? 0) || this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > MOST_WAITING) {
      this.close(closeCodes.slow, `too slow; reconnect after ${this.#cursors()}`);
      return;
    }
    this.#socket.send(message, { binary: false });
    if (!this.#sent.has(projectId)) this.#live.add(projectId);
    this.#sent.set(projectId, number);
  }

  /** Who sends pings and takes no answers has no cursor worth telling. */
  pong(data: Buffer): void {
    if (this.#socket.bufferedAmount > MOST_WAITING) this.#socket.terminate();
    else this.#socket.pong(data);
  }

  /** Each only when those before it were taken, so that a long history needs no memory. */
  async #catchUp(projectId: string): Promise<void> {
    while ((this.#sent.get(projectId) ?? 0) < this.#feed.told(projectId)) {
      if (this.#socket.readyState !== this.#socket.OPEN) return;
      for (const event of await this.#ledger.events.list(projectId, this.#sent.get(projectId), PAGE)) {
        await this.#taken();
        this.tell(projectId, event.number, encode(event));
      }
    }
    // What is not told yet will be, and nothing is told between this look and the next line.
    this.#live.add(projectId);
  }

  async #taken(): Promise<void> {
    while (this.#socket.readyState === this.#socket.OPEN && this.#socket.bufferedAmount > MOST_WAITING / 2) {
      await sleep(5);
    }
  }

  /** Where to go on, as the query of the next socket takes it. */
  #cursors(): string {
    const cursors = [...this.#sent].map(([id, number]) => (this.#all ? `${id}:${number}` : String(number)));
    return cursors.join(',');
  }

  /** Tells why, and does not wait long for an other end that does not listen. */
  close(code: number, reason: string): void {
    this.#feed.leave(this);
    // A close frame has room for 123 bytes.
    this.#socket.close(code, reason.slice(0, 120));
    setTimeout(() => this.#socket.terminate(), LAST_WORDS_MS).unref();
  }
}
