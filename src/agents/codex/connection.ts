import type { AgentProcess } from '../process/agent-process.ts';
import type { RequestId, ResponseEvent } from '../stream/events.ts';
import { type JsonRecord, record } from '../stream/fields.ts';

/** The program ended before it answered. */
export class Gone extends Error {}

/** What we write to `codex app-server`, as JSON-RPC without the `jsonrpc` field, and how it responds to our calls. */
export class Connection {
  readonly #process: Pick<AgentProcess, 'writeLine'>;
  readonly #waiting = new Map<RequestId, { resolve(value: JsonRecord): void; reject(error: Error): void }>();
  #lastId = 0;
  #isOver = false;

  constructor(process: Pick<AgentProcess, 'writeLine'>) {
    this.#process = process;
  }

  call(method: string, params: JsonRecord): Promise<JsonRecord> {
    if (this.#isOver) return Promise.reject(new Gone());
    const id = ++this.#lastId;
    const answered = new Promise<JsonRecord>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    void this.#send({ id, method, params });
    return answered;
  }

  /** The response to one of our calls. */
  answered({ requestId, error, response }: ResponseEvent): void {
    const waiting = this.#waiting.get(requestId);
    this.#waiting.delete(requestId);
    if (error === undefined) waiting?.resolve(record(response));
    else waiting?.reject(new Error(error));
  }

  notify(method: string): void {
    void this.#send({ method });
  }

  respond(id: RequestId, result: unknown): Promise<boolean> {
    return this.#send({ id, result });
  }

  refuse(id: RequestId, method: string): void {
    void this.#send({ id, error: { code: -32601, message: `Fermata does not support ${method}.` } });
  }

  /** The program is gone. */
  close(): void {
    this.#isOver = true;
    for (const { reject } of this.#waiting.values()) reject(new Gone());
    this.#waiting.clear();
  }

  #send(message: object): Promise<boolean> {
    return this.#process.writeLine(JSON.stringify(message));
  }
}
