import { createRequire } from 'node:module';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { AGENT_CLIS } from '../../../scripts/agent-clis.mjs';
import { clisInstalled } from '../../agents/clis/installed.ts';
import { BIN, environment } from '../../support/fermata.ts';

// biome-ignore lint/suspicious/noExplicitAny: the packages are not installed where types are checked
type Any = any;

const installed = createRequire(join(AGENT_CLIS, 'package.json'));

/** The official clients: the older package, and the newer one at the oldest and newest version that it speaks. */
export const GENERATIONS = [
  { client: 'sdk', version: '2025-11-25' },
  { client: 'client', version: '2025-11-25' },
  { client: 'client', version: '2026-07-28' },
] as const;
export type Generation = (typeof GENERATIONS)[number];

interface CallOptions {
  onprogress?(progress: { message?: string }): void;
  /** In ms. */
  timeout?: number;
  resetTimeoutOnProgress?: boolean;
  signal?: AbortSignal;
}

export interface Connected {
  version: string | undefined;
  tools(): Promise<Any[]>;
  call(name: string, args: object, options?: CallOptions): Promise<Any>;
  close(): Promise<void>;
}

/** Where to connect, and what the person does with forms; without `onForm`, the client says that it shows none. */
type Target = ({ cwd: string; env: Record<string, string> } | { url: string; token: string }) & {
  onForm?(params: Any): Any;
};

/** Connects one and closes it after the test. If it is not installed, the test is skipped and says why. */
export async function connectOfficial(
  generation: Generation,
  target: Target,
  skip: (note: string) => never,
): Promise<Connected> {
  await clisInstalled();
  const parts = load(generation, skip);
  const transport = 'url' in target ? parts.http(target) : parts.stdio(target);
  let version: string | undefined;
  const set = transport.setProtocolVersion?.bind(transport);
  transport.setProtocolVersion = (agreed: string) => {
    version = agreed;
    set?.(agreed);
  };
  const capabilities = target.onForm ? { elicitation: {} } : {};
  const client = parts.client({ capabilities });
  if (target.onForm) parts.onForm(client, target.onForm);
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    version: client.getNegotiatedProtocolVersion?.() ?? version,
    tools: async () => (await client.listTools()).tools,
    call: (name, args, options) => parts.call(client, { name, arguments: args }, options),
    close: () => client.close(),
  };
}

function load(generation: Generation, skip: (note: string) => never) {
  try {
    return generation.client === 'sdk' ? older() : newer(generation.version);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    return skip('The official MCP clients are not installed. `npm test` tries again.');
  }
}

const info = { name: 'official', version: '1' };

function older() {
  const { Client } = installed('@modelcontextprotocol/sdk/client/index.js');
  const { StdioClientTransport } = installed('@modelcontextprotocol/sdk/client/stdio.js');
  const { StreamableHTTPClientTransport } = installed('@modelcontextprotocol/sdk/client/streamableHttp.js');
  const { ElicitRequestSchema } = installed('@modelcontextprotocol/sdk/types.js');
  return {
    ...transports(StdioClientTransport, StreamableHTTPClientTransport),
    client: (options: object) => new Client(info, options),
    onForm: (client: Any, reply: (params: Any) => Any) =>
      client.setRequestHandler(ElicitRequestSchema, (request: Any) => reply(request.params)),
    call: (client: Any, params: object, options?: CallOptions) => client.callTool(params, undefined, options),
  };
}

function newer(version: string) {
  const { Client, StreamableHTTPClientTransport } = installed('@modelcontextprotocol/client');
  const { StdioClientTransport } = installed('@modelcontextprotocol/client/stdio');
  const mode = version === '2026-07-28' ? { pin: version } : 'legacy';
  return {
    ...transports(StdioClientTransport, StreamableHTTPClientTransport),
    client: (options: object) => new Client(info, { ...options, versionNegotiation: { mode } }),
    onForm: (client: Any, reply: (params: Any) => Any) =>
      client.setRequestHandler('elicitation/create', (request: Any) => reply(request.params)),
    call: (client: Any, params: object, options?: CallOptions) => client.callTool(params, options),
  };
}

function transports(Stdio: Any, Http: Any) {
  return {
    stdio: ({ cwd, env }: { cwd: string; env: Record<string, string> }) =>
      new Stdio({
        ...{ command: process.execPath, args: [BIN, 'mcp'], cwd, stderr: 'ignore' },
        env: Object.fromEntries(Object.entries(environment(env)).filter(([, value]) => value !== undefined)),
      }),
    http: ({ url, token }: { url: string; token: string }) =>
      new Http(new URL(url), { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
  };
}
