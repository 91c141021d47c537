import { LineSplitter } from '../../../channels/line-splitter.ts';
import { isRecord } from '../../../ledger/forms/record.ts';
import type { AgentProcess } from '../../process/agent-process.ts';

type Params = Record<string, unknown>;

export interface Handlers {
  /** The server asks us something; the id is to be answered with `respond`. */
  request(id: number | string, method: string, params: Params): void;
  notification(method: string, params: Params): void;
}

/** The program ended before it answered. */
export class Gone extends Error {}

/** JSON-RPC with `codex app-server`: one object per line, without the `jsonrpc` field. */
export class Connection {
  skippedLines = 0;
  readonly #process: AgentProcess;
  readonly #handlers: Handlers;
  readonly #waiting = new Map<number, { resolve(value: Params): void; reject(error: Error): void }>();
  #lastId = 0;
  #isOver = false;

  constructor(process: AgentProcess, handlers: Handlers) {
    this.#process = process;
    this.#handlers = handlers;
  }

  /** Reads until the program closes its output. */
  async read(): Promise<void> {
    const skip = () => {
      this.skippedLines += 1;
    };
    const splitter = new LineSplitter(
      (bytes, start, end) => this.#line(bytes.toString('utf8', start, end)),
      skip,
    );
    for await (const chunk of this.#process.stdout) splitter.push(chunk as Buffer);
    splitter.end();
    this.#isOver = true;
    for (const { reject } of this.#waiting.values()) reject(new Gone());
    this.#waiting.clear();
  }

  call(method: string, params: Params): Promise<Params> {
    if (this.#isOver) return Promise.reject(new Gone());
    const id = ++this.#lastId;
    const answered = new Promise<Params>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    void this.#send({ id, method, params });
    return answered;
  }

  notify(method: string): void {
    void this.#send({ method });
  }

  respond(id: number | string, result: unknown): Promise<boolean> {
    return this.#send({ id, result });
  }

  refuse(id: number | string, message: string): void {
    void this.#send({ id, error: { code: -32601, message } });
  }

  #send(message: object): Promise<boolean> {
    return this.#process.writeLine(JSON.stringify(message));
  }

  #line(line: string): void {
    if (line.trim() === '') return;
    const message = parse(line);
    if (!message) {
      this.skippedLines += 1;
      return;
    }
    const { id, method, result, error } = message;
    const params = isRecord(message.params) ? message.params : {};
    const named = typeof id === 'number' || typeof id === 'string';
    if (typeof method === 'string') {
      if (named) this.#handlers.request(id, method, params);
      else this.#handlers.notification(method, params);
      return;
    }
    const waiting = typeof id === 'number' ? this.#waiting.get(id) : undefined;
    if (!waiting || typeof id !== 'number') return;
    this.#waiting.delete(id);
    if (isRecord(error)) waiting.reject(new Error(String(error.message ?? 'refused without a message')));
    else waiting.resolve(isRecord(result) ? result : {});
  }
}

function parse(line: string): Params | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
