import type { RequestId } from '@modelcontextprotocol/server';
import type { Caller } from '../auth/caller.ts';

interface From {
  caller: Caller;
  projectId: string;
}

/** Longer than a cancellation is on its way, and short, because a restarted client uses the same ids again. */
const KEPT_MS = 5000;

/** The ids of calls that ended recently: a cancellation with such an id may be a late one for them. */
export class EndedCalls {
  /** When each ended, oldest first. */
  readonly #times = new Map<string, number>();

  add(from: From & { requestIds: RequestId[] }): void {
    const now = Date.now();
    for (const [key, time] of this.#times) {
      if (now - time <= KEPT_MS) break;
      this.#times.delete(key);
    }
    for (const id of from.requestIds) {
      const key = keyOf(from, id);
      this.#times.delete(key);
      this.#times.set(key, now);
    }
  }

  has(from: From, id: RequestId): boolean {
    const time = this.#times.get(keyOf(from, id));
    return time !== undefined && Date.now() - time <= KEPT_MS;
  }
}

const keyOf = ({ caller, projectId }: From, id: RequestId) => JSON.stringify([caller.id, projectId, id]);
