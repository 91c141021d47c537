import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import type { Ledger } from '../../ledger/ledger.ts';
import { type EventFeed, encode, type Listener } from './event-feed.ts';

/** A client with more unread bytes than this is disconnected; it can return with its cursor. */
const MAX_WAITING = 1024 * 1024;
/** How long a client has to close the socket itself after it was told to. */
export const LAST_WORDS_MS = 2000;
/** An event may be as large as a notification. */
const PAGE = 50;

/** Our reasons to close a socket, in the range for applications. */
export const closeCodes = { stopping: 1001, revoked: 4401, slow: 4408, failed: 4500 } as const;

/** One open socket: first sends what it missed, then new events. */
export class SocketClient implements Listener {
  readonly #socket: WebSocket;
  readonly #ledger: Ledger;
  readonly #feed: EventFeed;
  /** The last event sent for each of its projects. */
  readonly #sent: Map<string, number>;
  /** The projects for which it is up to date. */
  readonly #live = new Set<string>();
  /** Whether it gets all projects, including future ones. */
  readonly #all: boolean;

  constructor(socket: WebSocket, ledger: Ledger, feed: EventFeed, after: Map<string, number>, all: boolean) {
    this.#socket = socket;
    this.#ledger = ledger;
    this.#feed = feed;
    this.#sent = after;
    this.#all = all;
  }

  /** Sends what came after the cursors, then starts listening for new events. */
  async start(): Promise<void> {
    for (const projectId of this.#sent.keys()) await this.#catchUp(projectId);
  }

  hears(projectId: string): boolean {
    return this.#live.has(projectId) || (this.#all && !this.#sent.has(projectId));
  }

  tell(projectId: string, number: number, message: Buffer): void {
    if (number <= (this.#sent.get(projectId) ?? 0) || this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > MAX_WAITING) {
      this.close(closeCodes.slow, `too slow; reconnect after ${this.#cursors()}`);
      return;
    }
    this.#socket.send(message, { binary: false });
    if (!this.#sent.has(projectId)) this.#live.add(projectId);
    this.#sent.set(projectId, number);
  }

  /** A client that sends pings but reads no answers does not get a cursor. */
  pong(data: Buffer): void {
    if (this.#socket.bufferedAmount > MAX_WAITING) this.#socket.terminate();
    else this.#socket.pong(data);
  }

  /** Sends each page only after the previous one was read, so that a long history does not fill the memory. */
  async #catchUp(projectId: string): Promise<void> {
    while ((this.#sent.get(projectId) ?? 0) < this.#feed.told(projectId)) {
      if (this.#socket.readyState !== this.#socket.OPEN) return;
      for (const event of await this.#ledger.events.list(projectId, this.#sent.get(projectId), PAGE)) {
        await this.#taken();
        this.tell(projectId, event.number, encode(event));
      }
    }
    // Later events will be sent to listeners, and none is sent between this check and the next line.
    this.#live.add(projectId);
  }

  async #taken(): Promise<void> {
    while (this.#socket.readyState === this.#socket.OPEN && this.#socket.bufferedAmount > MAX_WAITING / 2) {
      await sleep(5);
    }
  }

  /** Where to continue, in the format of the next socket's query. */
  #cursors(): string {
    const cursors = [...this.#sent].map(([id, number]) => (this.#all ? `${id}:${number}` : String(number)));
    return cursors.join(',');
  }

  /** Sends the reason, and does not wait long for a client that does not listen. */
  close(code: number, reason: string): void {
    this.#feed.leave(this);
    // A close frame has room for 123 bytes.
    this.#socket.close(code, reason.slice(0, 120));
    setTimeout(() => this.#socket.terminate(), LAST_WORDS_MS).unref();
  }
}
