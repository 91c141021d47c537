import type { Readable, Writable } from 'node:stream';
import {
  isJSONRPCResponse,
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { LineSplitter } from '../files/line-splitter.ts';
import { requestIdOf, type Tool, toolServer } from './server.ts';

/** Speaks MCP over two streams until the input and every call have ended. */
export async function serveMcp(tools: Tool[], input: Readable, output: Writable): Promise<void> {
  const transport = new LineTransport(input, output);
  const calls = new Set<Promise<unknown>>();
  const serving = {
    tools: tools.map((tool) => tracked(tool, calls)),
    client: 'mcp client',
    afterSending: transport.afterSending.bind(transport),
  };
  await new Promise<void>((resolve) => {
    serveStdio(() => toolServer(serving), { transport });
    const closeServer = transport.onclose;
    transport.onclose = () => {
      closeServer?.();
      resolve();
    };
  });
  await Promise.allSettled(calls);
  await transport.settled();
}

function tracked(tool: Tool, calls: Set<Promise<unknown>>): Tool {
  return {
    ...tool,
    call(input, context) {
      const call = tool.call(input, context).finally(() => calls.delete(call));
      calls.add(call);
      return call;
    },
  };
}

/** MCP over two streams, one message per line. Anything else gets a sentence as a response. */
class LineTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #afterSending = new Map<RequestId, () => Promise<void>>();
  readonly #sending = new Set<Promise<void>>();
  #takesBatches = false;
  #closed = false;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  async start(): Promise<void> {
    const splitter = new LineSplitter(
      (bytes, start, end) => this.#take(bytes.toString('utf8', start, end).trim()),
      (size) => this.#refuse(ProtocolErrorCode.InvalidRequest, `A message of ${size} bytes is too large.`),
    );
    this.#input.on('data', (chunk: Buffer) => splitter.push(chunk));
    this.#input.once('end', () => {
      splitter.end();
      void this.close();
    });
    this.#input.once('close', () => void this.close());
    // Nobody reads our output any more, so the connection ends.
    this.#output.on('error', () => void this.close());
  }

  /** Only one version of the protocol has batches. Each request in a batch gets its response on a line of its own. */
  setProtocolVersion(version: string): void {
    this.#takesBatches = version === '2025-03-26';
  }

  /** Runs `then` once the response to this request is written. */
  afterSending(request: RequestId, then: () => Promise<void>): void {
    this.#afterSending.set(request, then);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const then = isJSONRPCResponse(message) && message.id !== undefined ? this.#taken(message.id) : undefined;
    const sending = this.#write(message)
      .then(then)
      .finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
    await sending;
  }

  /** Resolves when everything sent is written, and the work after it is done. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#sending);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.onclose?.();
  }

  #taken(id: RequestId): (() => Promise<void>) | undefined {
    const then = this.#afterSending.get(id);
    this.#afterSending.delete(id);
    return then;
  }

  #take(line: string): void {
    if (line === '') return;
    let json: unknown;
    try {
      json = JSON.parse(line);
    } catch {
      this.#refuse(ProtocolErrorCode.ParseError, 'This line is not valid JSON.');
      return;
    }
    const messages: unknown[] = this.#takesBatches && Array.isArray(json) && json.length > 0 ? json : [json];
    for (const message of messages) this.#receive(message);
  }

  #receive(json: unknown): void {
    const message = asMessage(json);
    if (message) this.onmessage?.(message);
    else
      this.#refuse(
        ProtocolErrorCode.InvalidRequest,
        'This is not a JSON-RPC 2.0 message.',
        requestIdOf(json),
      );
  }

  #refuse(code: number, message: string, id: RequestId | null = null): void {
    this.#write({ jsonrpc: '2.0', id, error: { code, message } }).catch(() => this.close());
  }

  #write(message: object): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }
}

function asMessage(json: unknown): JSONRPCMessage | undefined {
  try {
    return parseJSONRPCMessage(json);
  } catch {
    return undefined;
  }
}
