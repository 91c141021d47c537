import { finished } from 'node:stream/promises';
import type { Hono } from 'hono';
import * as z from 'zod';
import type { Asker } from '../../mcp/asker.ts';
import { type HttpServing, requestIdOf } from '../../mcp/server.ts';
import { FermataError } from '../../schema/error.ts';
import { identify } from '../auth/authenticate.ts';
import { actorOf, type Caller, requireProject } from '../auth/caller.ts';
import { type HubContext, type HubEnv, jsonResponse } from '../http/context.ts';
import type { Entry } from '../openapi.ts';
import type { HubParts } from '../parts.ts';
import { readJson } from '../read-body.ts';
import type { OpenCall } from './open-calls.ts';

const PATH = '/projects/:project/mcp';

const JsonRpcMessage = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number()]).optional().describe('Missing in a notification.'),
  method: z.string().optional(),
  params: z.looseObject({}).optional(),
});

const rpcError = {
  type: 'object',
  required: ['jsonrpc', 'error', 'id'],
  properties: {
    jsonrpc: { const: '2.0' },
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: { type: 'integer' }, message: { type: 'string' } },
    },
    id: { type: ['string', 'number', 'null'] },
  },
};

export const mcpEntries: Entry[] = [
  {
    operationId: 'callMcp',
    method: 'post',
    path: PATH,
    summary: 'Calls the tools for asking a person, over the Model Context Protocol (Streamable HTTP).',
    description: 'An array of messages (a batch) is accepted too.',
    who: 'anybody',
    only: 'token',
    body: JsonRpcMessage,
    responses: {
      200: {
        description: 'The response, as JSON-RPC in an event of the stream.',
        content: { 'text/event-stream': { schema: { type: 'string' } } },
      },
      202: { description: 'Accepted: a notification has no response.' },
      400: {
        description: 'Not valid JSON, or a JSON-RPC error.',
        content: {
          'application/json': { schema: { anyOf: [{ $ref: '#/components/schemas/Error' }, rpcError] } },
        },
      },
      406: {
        description: 'Send "Accept: application/json, text/event-stream".',
        content: { 'application/json': { schema: rpcError } },
      },
      415: {
        description: 'Send "Content-Type: application/json".',
        content: { 'application/json': { schema: rpcError } },
      },
    },
  },
];

/** MCP for remote agents: the tools of `fermata mcp`, with the rights of a token. */
export function addMcp(api: Hono<HubEnv>, parts: HubParts): void {
  api.post(PATH, (c) => serveMcp(c, c.req.param('project'), parts));
}

async function serveMcp(c: HubContext, project: string, parts: HubParts): Promise<Response> {
  const caller = await identify(c, parts);
  if (caller.by !== 'token')
    throw new FermataError('forbidden', 'MCP needs a token. Send "Authorization: Bearer TOKEN".');
  requireProject(caller, project);
  await parts.ledger.projects.get(project);
  let body: unknown;
  try {
    body = await readJson(c);
  } catch (error) {
    return parseError(error);
  }
  // The token may have been revoked while the body arrived.
  if (caller.id !== null) await identify(c, parts);
  const call = parts.mcpCalls.begin({ caller, projectId: project, requestIds: requestIdsOf(body) });
  try {
    return await answer(c, body, call, parts);
  } catch (error) {
    parts.mcpCalls.end(call);
    throw error;
  }
}

/** A body that cannot be read, in the form of the protocol. */
function parseError(error: unknown): Response {
  if (!(error instanceof FermataError) || error.code !== 'invalid') throw error;
  const { message } = error;
  return jsonResponse({ jsonrpc: '2.0', id: null, error: { code: -32700, message } }, 400);
}

const requestIdsOf = (body: unknown) => [body].flat().flatMap((message) => requestIdOf(message) ?? []);

async function answer(c: HubContext, body: unknown, call: OpenCall, parts: HubParts): Promise<Response> {
  const { answerMcp } = await import('../../mcp/server.ts');
  const { mcpTools } = await import('../../mcp/tools.ts');
  const asker = askerOf(call.caller, call.projectId, parts);
  const cut = call.cut.signal;
  const delivered: (() => Promise<void>)[] = [];
  const serving: HttpServing = {
    tools: mcpTools(asker),
    client: asker.by.actor.name,
    stop: call.stop.signal,
    cancel: (id, reason) => parts.mcpCalls.cancel(call, id, reason),
    afterSending: (_, then) => void delivered.push(then),
  };
  const asked = new Request('http://hub/mcp', { method: 'POST', headers: mcpHeaders(c), signal: cut });
  const response = await answerMcp(serving, asked, body);
  const ended = async (isComplete: boolean) => {
    parts.mcpCalls.end(call);
    if (isComplete && !cut.aborted && !call.isDoubtful) for (const then of delivered) await then();
  };
  const sent = finished(c.env.outgoing).then(
    () => true,
    () => false, // the client is gone
  );
  sent.then(ended).catch(parts.report);
  response.headers.set('cache-control', 'no-store');
  return response;
}

/** The headers that the protocol reads, without the token. */
function mcpHeaders(c: HubContext): [string, string][] {
  return Object.entries(c.req.header()).filter(([name]) => /^(accept|content-type|mcp-[a-z-]+)$/.test(name));
}

/** A model calls the tools even with a person's token, but the user of the client is then that person. */
function askerOf(caller: Caller, projectId: string, { patientLedger, report }: HubParts): Asker {
  const here = actorOf(caller);
  return {
    ledger: patientLedger,
    projectId,
    on: { sourceId: `mcp-${caller.id ?? 'owner'}`, takeUp: true },
    source: 'execute',
    by: { actor: { kind: 'agent', name: caller.name }, channel: here.channel },
    ...(here.actor.kind === 'person' ? { person: here } : {}),
    report,
  };
}
