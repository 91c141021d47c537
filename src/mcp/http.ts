import { createMcpHandler } from '@modelcontextprotocol/server';
import { type Serving, toolServer } from './server.ts';

/**
 * The response to one HTTP request, which no session precedes: whoever asks again after a crash of either end is known
 * by the token. It is always a stream, because comments on it keep a connection open while a person takes hours.
 */
export function answerMcp(serving: Serving, request: Request, body: unknown): Promise<Response> {
  const handler = createMcpHandler(() => toolServer(serving), { responseMode: 'sse' });
  return handler.fetch(request, { parsedBody: body });
}
