import { createMcpHandler } from '@modelcontextprotocol/server';
import { type Serving, toolServer } from './server.ts';

/**
 * The response to one HTTP request without a session: a client that asks again after a crash is recognised by its token.
 * It is always a stream, because comments keep the connection open while a person takes hours.
 */
export function answerMcp(serving: Serving, request: Request, body: unknown): Promise<Response> {
  const handler = createMcpHandler(() => toolServer(serving), { responseMode: 'sse' });
  return handler.fetch(request, { parsedBody: body });
}
