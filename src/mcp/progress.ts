import type { ServerContext } from '@modelcontextprotocol/server';

/** Well below the time after which clients give up on a call without progress. */
const PROGRESS_MS = 20_000;

/** Tells a client that wants progress that its call is still running, and which question it waits for. */
export class Progress {
  readonly #mcpReq: ServerContext['mcpReq'];
  #progress = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor({ mcpReq }: ServerContext) {
    this.#mcpReq = mcpReq;
  }

  waitsFor(id: string): void {
    const progressToken = this.#mcpReq._meta?.progressToken;
    if (progressToken === undefined) return;
    const message = `waiting for a person to answer ${id}; call get_answer later`;
    const tell = () => {
      this.#progress += 1;
      const params = { progressToken, progress: this.#progress, message };
      // The client may be gone; then the call itself ends.
      this.#mcpReq.notify({ method: 'notifications/progress', params }).catch(() => this.stop());
    };
    tell();
    this.#timer = setInterval(tell, PROGRESS_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
