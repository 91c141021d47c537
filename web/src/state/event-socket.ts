import type { Event } from '../../../src/schema/event.ts';
import { hub } from '../api/hub.ts';
import { leftOut, scope } from './session.ts';

const FIRST_PAUSE_MS = 400;
const MAX_PAUSE_MS = 10_000;
/** A cursor that the hub refuses this often belongs to another ledger, so everything is read again. */
const MAX_REFUSALS = 4;

/**
 * The live events of all projects, from cursors: first those missed while disconnected. Reconnects until it is closed;
 * `wake` does so at once.
 */
export class EventSocket {
  /** The last event of each project that was seen. */
  readonly #cursors = new Map<string, number>();
  readonly #onEvent: (event: Event) => void;
  readonly #onState: (live: boolean) => void;
  #socket: WebSocket | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #closed = false;

  constructor(
    cursors: Iterable<readonly [string, number]>,
    onEvent: (event: Event) => void,
    onState: (live: boolean) => void,
  ) {
    for (const [id, number] of cursors) this.#cursors.set(id, number);
    this.#onEvent = onEvent;
    this.#onState = onState;
    void this.#connect();
  }

  /** After sleep, a connection may look open but be dead. */
  wake(): void {
    this.#failures = 0;
    if (this.#socket) this.#socket.close();
    else this.#again(0);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }

  async #connect(): Promise<void> {
    let ticket: string;
    try {
      ({ ticket } = await hub.ticket());
    } catch (error) {
      if (!leftOut(error)) this.#failed();
      return;
    }
    if (this.#closed) return;
    const socket = new WebSocket(this.#address(ticket));
    this.#socket = socket;
    socket.onopen = () => {
      this.#failures = 0;
      this.#onState(true);
    };
    socket.onmessage = ({ data }) => this.#hear(JSON.parse(String(data)) as Event);
    socket.onclose = () => {
      this.#socket = undefined;
      this.#failed();
    };
  }

  #address(ticket: string): URL {
    const only = scope.peek();
    const url = new URL(only === null ? '/ws' : `/ws/projects/${encodeURIComponent(only)}`, location.href);
    url.protocol = url.protocol.replace('http', 'ws');
    if (this.#failures >= MAX_REFUSALS) this.#cursors.clear();
    const cursors = [...this.#cursors].map(([id, number]) => (only === null ? `${id}:${number}` : number));
    if (cursors.length > 0) url.searchParams.set('after', cursors.join(','));
    url.searchParams.set('ticket', ticket);
    return url;
  }

  #hear(event: Event): void {
    this.#cursors.set(event.projectId, event.number);
    this.#onEvent(event);
  }

  #failed(): void {
    if (this.#closed) return;
    this.#onState(false);
    const pause = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures);
    this.#failures += 1;
    // Random, so that many pages that lost the same hub do not return at the same moment.
    this.#again(pause * (0.5 + Math.random() / 2));
  }

  #again(pause: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#connect(), pause);
  }
}
