import { type Call, sendJson } from './loopback.ts';
import { type Api, type ModelServer, startModelServer } from './model-server.ts';
import { eventsOf, message, type OpenAiReply } from './openai-reply.ts';
import { type OpenAiRequest, readRequest } from './openai-request.ts';
import type { Script } from './script.ts';
import { sendEvents } from './sse.ts';

/** The `base_url` of a provider is the `/v1` of its url. */
export type OpenAiServer = ModelServer<OpenAiRequest>;

/**
 * OpenAI's Responses API (streaming) with a scripted model behind it, in this process, on loopback.
 *
 * @example
 * const model = await startOpenAi([functionCall('call_1', 'ask_human', { question }), message('Done.')]);
 */
export function startOpenAi(script: Script<OpenAiRequest, OpenAiReply>): Promise<OpenAiServer> {
  return startModelServer(RESPONSES, script);
}

const RESPONSES: Api<OpenAiRequest, OpenAiReply> = {
  path: '/v1/responses',
  read,
  wire: (call, request) => ({
    send: (reply, cut) => void sendEvents(call.response, eventsOf(reply, request.model, cut), { cut }),
    sendError: (status, type, words, headers) => sendError(call, status, type, words, headers),
  }),
  auxiliary: message('ok'),
  finalStatus: 400,
  answerOther,
  sendError,
};

function read({ body, headers }: Call): OpenAiRequest {
  const encoding = headers['content-encoding'];
  if (encoding) throw new Error(`This server reads no ${encoding}: turn enable_request_compression off.`);
  return readRequest(body, headers['user-agent']);
}

function answerOther(call: Call): void {
  const { method, path, response } = call;
  if (path === '/v1/models') sendJson(response, 200, { object: 'list', data: [], models: [] });
  else sendError(call, 404, 'not_found', `there is no ${method} ${path}`);
}

function sendError(call: Call, status: number, type: string, words: string, headers = {}): void {
  sendJson(call.response, status, { error: { type, message: words } }, headers);
}
