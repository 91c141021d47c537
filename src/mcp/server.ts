import type { Readable, Writable } from 'node:stream';
import * as z from 'zod';
import { LineSplitter } from '../channels/line-splitter.ts';
import { failure, Message, RpcError, result, rpcErrors } from './json-rpc.ts';
import { ClientRequests } from './requests.ts';
import type { Tool, ToolCall } from './tool.ts';

/** The result of a request, and what follows once it was sent. */
interface Handled {
  value: unknown;
  sent?: () => Promise<void>;
}

const PROTOCOL = '2025-06-18';
/** Clients that wait for a person want a sign of life. */
const PROGRESS_MS = 20_000;

/** Speaks MCP over two streams until the input ends. */
export async function serveMcp(
  tools: Tool[],
  version: string,
  input: Readable,
  output: Writable,
): Promise<void> {
  const running = new Map<string | number, AbortController>();
  let client = 'mcp client';
  let elicit: ToolCall['elicit'];
  const send = (message: object) =>
    new Promise<boolean>((resolve) => {
      output.write(`${JSON.stringify(message)}\n`, (error) => resolve(!error));
    });

  const requests = new ClientRequests(send);

  async function answer(message: Message): Promise<void> {
    const { id, method = '', params = {} } = message;
    if ('result' in message || 'error' in message) return requests.take(message);
    if (id === undefined) {
      if (method === 'notifications/cancelled') running.get(params.requestId as string)?.abort();
      return;
    }
    try {
      const { value, sent } = await handle(id, method, params);
      if ((await send(result(id, value))) && sent) await sent();
    } catch (error) {
      const code = error instanceof RpcError ? error.code : rpcErrors.internal;
      await send(failure(id, code, error instanceof Error ? error.message : String(error)));
    }
  }

  async function handle(
    id: string | number,
    method: string,
    params: Record<string, unknown>,
  ): Promise<Handled> {
    switch (method) {
      case 'initialize': {
        const { clientInfo, capabilities } = Hello.parse(params);
        if (clientInfo?.name) client = clientInfo.name.slice(0, 100);
        if (showsForms(capabilities?.elicitation))
          elicit = (form, signal) => requests.ask('elicitation/create', form, signal);
        const serverInfo = { name: 'fermata', version };
        return {
          value: { protocolVersion: wanted(params.protocolVersion), capabilities: { tools: {} }, serverInfo },
        };
      }
      case 'ping':
        return { value: {} };
      case 'tools/list':
        return { value: { tools: tools.map(describe) } };
      case 'tools/call':
        return call(id, params);
      default:
        throw new RpcError(rpcErrors.method, `This server has no method ${method}.`);
    }
  }

  async function call(id: string | number, params: Record<string, unknown>): Promise<Handled> {
    const tool = tools.find((each) => each.name === params.name);
    if (!tool) throw new RpcError(rpcErrors.params, `There is no tool ${String(params.name)}.`);
    const stop = new AbortController();
    running.set(id, stop);
    const progress = signOfLife(params, send);
    try {
      const given = (params.arguments ?? {}) as Record<string, unknown>;
      const { text, isError, sent } = await tool.call(given, { signal: stop.signal, client, elicit });
      return { value: { content: [{ type: 'text', text }], ...(isError ? { isError } : {}) }, sent };
    } catch (error) {
      // A tool's own failure is for the model to read, not a fault of the protocol.
      const text = error instanceof Error ? error.message : String(error);
      return { value: { content: [{ type: 'text', text }], isError: true } };
    } finally {
      clearInterval(progress);
      running.delete(id);
    }
  }

  const open = new Set<Promise<void>>();
  const refuse = () => void send(failure(null, rpcErrors.parse, 'This line is no JSON-RPC message.'));
  const splitter = new LineSplitter((bytes, start, end) => {
    const line = bytes.toString('utf8', start, end).trim();
    if (line === '') return;
    const message = read(line);
    if (!message) {
      refuse();
      return;
    }
    const work = answer(message).finally(() => open.delete(work));
    open.add(work);
  }, refuse);
  for await (const chunk of input) splitter.push(chunk as Buffer);
  splitter.end();
  for (const stop of running.values()) stop.abort();
  await Promise.all(open);
}

const Hello = z.object({
  clientInfo: z.object({ name: z.string() }).optional().catch(undefined),
  capabilities: z
    .object({ elicitation: z.record(z.string(), z.unknown()).optional() })
    .optional()
    .catch(undefined),
});

/** A client that names no kind of elicitation shows forms; the other kind is an address to open. */
function showsForms(elicitation: Record<string, unknown> | undefined): boolean {
  return elicitation !== undefined && (Object.keys(elicitation).length === 0 || 'form' in elicitation);
}

/** The client's own version of the protocol where it is one of ours; the client ends the session if it cannot use it. */
function wanted(version: unknown): string {
  return typeof version === 'string' && /^202[4-9]-\d\d-\d\d$/.test(version) ? version : PROTOCOL;
}

function describe({ name, description, inputSchema }: Tool): object {
  // Claude Code hides tools behind a search unless they ask to be loaded; a way to ask must be in plain sight.
  return { name, description, inputSchema, _meta: { 'anthropic/alwaysLoad': true } };
}

function signOfLife(
  params: Record<string, unknown>,
  send: (message: object) => unknown,
): NodeJS.Timeout | undefined {
  const { progressToken } = (params._meta ?? {}) as { progressToken?: string | number };
  if (progressToken === undefined) return undefined;
  let progress = 0;
  return setInterval(() => {
    progress += 1;
    send({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken, progress, message: 'waiting for a person' },
    });
  }, PROGRESS_MS);
}

function read(line: string): Message | undefined {
  try {
    return Message.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}
