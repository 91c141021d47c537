import { createMcpHandler, type RequestId } from '@modelcontextprotocol/server';
import { type Serving, toolServer } from './server.ts';

export interface HttpServing extends Serving {
  /** The client gave up on another request, which has a server of its own. */
  cancel(request: RequestId, reason: string | undefined): void;
}

/**
 * The response to one HTTP request without a session: a client that asks again after a crash is recognised by its token.
 * A session would end with its hub, and other hubs would not know it. It is always a stream, because comments keep the
 * connection open while a person takes hours.
 */
export function answerMcp(serving: HttpServing, request: Request, body: unknown): Promise<Response> {
  const handler = createMcpHandler(() => httpServer(serving), { responseMode: 'sse' });
  return handler.fetch(request, { parsedBody: body });
}

function httpServer(serving: HttpServing) {
  const server = toolServer(serving);
  server.setNotificationHandler('notifications/cancelled', ({ params: { requestId, reason } }) => {
    if (requestId !== undefined) serving.cancel(requestId, reason);
  });
  return server;
}
