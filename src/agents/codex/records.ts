import { setTimeout as sleep } from 'node:timers/promises';
import { Rollout } from './rollout.ts';

const LOOK_MS = 20;
/** How often we look for a missing file; not more often, because the search visits all folders. */
const FIND_MS = 1000;

/**
 * Determines when an answer cannot be lost any more: the thread's record on disk has it, or the thread has finished the
 * turn in which it got it. Codex reports a call as finished just before it is on disk, and a kill at that moment loses
 * the answer.
 */
export class Records {
  readonly #find: (threadId: string) => Promise<string | undefined>;
  readonly #rollouts = new Map<string, Rollout>();
  /** When the file of a thread was last looked for. */
  readonly #missed = new Map<string, number>();
  readonly #turnsDone = new Map<string, number>();
  #isOver = false;

  /** `find` names the file of a thread's record. */
  constructor(find: (threadId: string) => Promise<string | undefined>) {
    this.#find = find;
  }

  turnDone(threadId: string): void {
    this.#turnsDone.set(threadId, this.#turns(threadId) + 1);
  }

  /** The process is gone, so what is not on disk now never will be. */
  close(): void {
    this.#isOver = true;
  }

  /** Resolves to whether the thread can no longer lose what `has` looks for. */
  async keeps(threadId: string, has: (record: Rollout) => boolean): Promise<boolean> {
    const before = this.#turns(threadId);
    for (;;) {
      const isOver = this.#isOver;
      if (await this.#isOnDisk(threadId, has)) return true;
      if (this.#turns(threadId) > before) return true;
      if (isOver) return false;
      await sleep(LOOK_MS);
    }
  }

  async #isOnDisk(threadId: string, has: (record: Rollout) => boolean): Promise<boolean> {
    const rollout = this.#rollouts.get(threadId) ?? (await this.#open(threadId));
    await rollout?.readAppended();
    return rollout !== undefined && has(rollout);
  }

  async #open(threadId: string): Promise<Rollout | undefined> {
    const now = performance.now();
    if (!this.#isOver && now - (this.#missed.get(threadId) ?? -FIND_MS) < FIND_MS) return undefined;
    this.#missed.set(threadId, now);
    const path = await this.#find(threadId);
    if (path === undefined) return undefined;
    const rollout = new Rollout(path);
    this.#rollouts.set(threadId, rollout);
    return rollout;
  }

  #turns(threadId: string): number {
    return this.#turnsDone.get(threadId) ?? 0;
  }
}
