import { randomUUID } from 'node:crypto';
import { type AnthropicReply, eventsOf, messageOf, text } from './anthropic-reply.ts';
import { type AnthropicRequest, readRequest } from './anthropic-request.ts';
import { type Call, sendJson } from './loopback.ts';
import { type Api, type ModelServer, startModelServer } from './model-server.ts';
import type { Script, Wire } from './script.ts';
import { sendEvents } from './sse.ts';

export type AnthropicServer = ModelServer<AnthropicRequest>;

/**
 * Anthropic's Messages API with a scripted model behind it, in this process, on loopback.
 *
 * @example
 * const model = await startAnthropic([toolUse('toolu_1', 'AskUserQuestion', { questions }), text('Done.')]);
 */
export function startAnthropic(script: Script<AnthropicRequest, AnthropicReply>): Promise<AnthropicServer> {
  return startModelServer(MESSAGES, script);
}

const MESSAGES: Api<AnthropicRequest, AnthropicReply> = {
  path: '/v1/messages',
  read: ({ body, headers }) => readRequest(body, headers['user-agent']),
  wire: wireOf,
  auxiliary: text('ok'),
  finalStatus: 402,
  answerOther,
  sendError,
};

function answerOther(call: Call): void {
  const { method, path, response } = call;
  if (method === 'HEAD') response.end();
  else if (path === '/v1/models') sendJson(response, 200, { data: [], has_more: false });
  else if (path === '/v1/messages/count_tokens') sendJson(response, 200, { input_tokens: 100 });
  else sendError(call, 404, 'not_found_error', `there is no ${method} ${path}`);
}

function wireOf(call: Call, request: AnthropicRequest): Wire<AnthropicReply> {
  const headers = { 'request-id': `req_${randomUUID()}` };
  return {
    send(reply, cut) {
      const message = messageOf(reply, request.model);
      if (request.stream) void sendEvents(call.response, eventsOf(message, cut), { cut, headers });
      else if (cut) call.response.destroy();
      else sendJson(call.response, 200, message, headers);
    },
    sendError: (status, type, message, more) =>
      sendError(call, status, type, message, { ...headers, ...more }),
  };
}

function sendError(call: Call, status: number, type: string, message: string, headers = {}): void {
  sendJson(call.response, status, { type: 'error', error: { type, message } }, headers);
}
