import { isRecord } from '../../ledger/forms/record.ts';
import type { AgentSetup } from '../driver.ts';
import type { AgentProcess } from '../process/agent-process.ts';
import { askHuman } from '../questions/ask-human.ts';
import { type JsonRecord, record } from '../stream/agent-reader.ts';
import type { RequestId, ResponseEvent } from '../stream/events.ts';

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

/** What begins the run: a new thread, or one to continue. */
export interface Beginning {
  threadId?: string;
  text: string;
}

/** Codex asks a person, whatever their config.toml says: before a command leaves its own sandbox. */
const asks = { approvalPolicy: 'on-request', sandbox: 'workspace-write' };

/**
 * Its own sandbox needs a user namespace, which ours does not give it, so it has none. Then it would ask about nothing, so it
 * is told to ask about every command and change that it does not know to be harmless.
 */
const asksInOurSandbox = { approvalPolicy: 'untrusted', sandbox: 'danger-full-access' };

/** Initializes `codex app-server` and opens the agent's thread. */
export async function openThread(
  connection: Connection,
  { cwd, model, sandbox }: Pick<AgentSetup, 'cwd' | 'model' | 'sandbox'>,
  { threadId }: Beginning,
): Promise<{ version: string; threadId: string }> {
  const hello = await connection.call('initialize', {
    clientInfo: { name: 'fermata', title: 'Fermata', version: '1' },
    capabilities: { experimentalApi: true, requestAttestation: false },
  });
  connection.notify('initialized');
  const common = {
    cwd,
    ...(model ? { model } : {}),
    dynamicTools: [askHuman],
    ...(sandbox ? asksInOurSandbox : asks),
  };
  const { thread } = threadId
    ? await connection.call('thread/resume', { threadId, ...common, excludeTurns: true })
    : await connection.call('thread/start', common);
  const id = isRecord(thread) && typeof thread.id === 'string' ? thread.id : threadId;
  if (id === undefined) throw new Error('it did not open a thread');
  return { version: /\/(\d[\w.-]*)/.exec(String(hello.userAgent ?? ''))?.[1] ?? '', threadId: id };
}
