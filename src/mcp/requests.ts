import { FermataError } from '../schema/error.ts';
import { type Message, RpcError } from './json-rpc.ts';

/** What we ask the client: each request under a number of ours, until its response comes or nobody wants it any more. */
export class ClientRequests {
  readonly #send: (message: object) => unknown;
  readonly #waiting = new Map<unknown, (response: Message) => void>();
  #last = 0;

  constructor(send: (message: object) => unknown) {
    this.#send = send;
  }

  /** The result; rejects with what the client says instead, and when `signal` takes the request back. */
  async ask(method: string, params: object, signal: AbortSignal): Promise<unknown> {
    if (signal.aborted) throw noLonger();
    const id = `fermata-${++this.#last}`;
    return new Promise((resolve, reject) => {
      const takeBack = () => {
        this.#waiting.delete(id);
        this.#send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
        reject(noLonger());
      };
      this.#waiting.set(id, ({ result, error }) => {
        signal.removeEventListener('abort', takeBack);
        if (error) reject(new RpcError(error.code, error.message));
        else resolve(result);
      });
      signal.addEventListener('abort', takeBack, { once: true });
      this.#send({ jsonrpc: '2.0', id, method, params });
    });
  }

  /** A response that nobody waits for is left alone: it may have crossed the taking back. */
  take(response: Message): void {
    const waiting = this.#waiting.get(response.id);
    this.#waiting.delete(response.id);
    waiting?.(response);
  }
}

const noLonger = () => new FermataError('gone', 'It is no longer asked.');
