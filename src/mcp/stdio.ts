import type { Readable, Writable } from 'node:stream';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { LineTransport } from './line-transport.ts';
import { toolServer } from './server.ts';
import type { Tool } from './tool.ts';

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
