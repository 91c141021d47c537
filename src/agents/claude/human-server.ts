import { askHuman, HUMAN_SERVER } from '../questions/ask-human.ts';
import { isRecord, record, text } from '../stream/fields.ts';

/** The tool's name as the agent knows it. */
export const HUMAN_TOOL = `mcp__${HUMAN_SERVER}__${askHuman.name}`;

/** A call of `ask_human`, with the request that gets its result. */
export interface HumanCall {
  toolUseId: string;
  input: unknown;
  /** The response to the request, with this text as the tool's result. */
  result(text: string): object;
}

/** Claude Code shows this to the main agent only; sub-agents see the tool and its description. */
const INSTRUCTIONS = `Sub-agents do not have AskUserQuestion. When you start one, tell it to call ${HUMAN_TOOL} if it needs a decision from a person. Use AskUserQuestion yourself.`;
const PROTOCOL = '2025-06-18';
const UNKNOWN_METHOD = -32601;

/**
 * The MCP server that we provide inside the control protocol. Takes one message of the agent and returns our response,
 * except for a call, which a person has to answer.
 */
export function humanServer(request: unknown): HumanCall | { response: object } {
  const message = record(record(request).message);
  const { id, method } = message;
  const params = record(message.params);
  const respond = (body: object) => ({
    mcp_response: { jsonrpc: '2.0', ...(id === undefined ? {} : { id }), ...body },
  });
  switch (method) {
    case 'initialize': {
      const protocolVersion = text(params.protocolVersion) ?? PROTOCOL;
      const serverInfo = { name: HUMAN_SERVER, version: '1' };
      const capabilities = { tools: {} };
      return {
        response: respond({
          result: { protocolVersion, capabilities, serverInfo, instructions: INSTRUCTIONS },
        }),
      };
    }
    case 'tools/list': {
      const { name, inputSchema } = askHuman;
      const description = `${askHuman.description} It is for sub-agents, which do not have AskUserQuestion.`;
      // Without this, the model finds the tool only by searching for it.
      const _meta = { 'anthropic/alwaysLoad': true };
      return { response: respond({ result: { tools: [{ name, description, inputSchema, _meta }] } }) };
    }
    case 'tools/call': {
      const toolUseId = text(record(params._meta)['claudecode/toolUseId']) ?? `mcp-${String(id)}`;
      const result = (words: string) => respond({ result: { content: [{ type: 'text', text: words }] } });
      return { toolUseId, input: params.arguments, result };
    }
    default:
      return { response: respond(isAnswerable(method) ? { result: {} } : unknownMethod(method)) };
  }
}

const isAnswerable = (method: unknown) =>
  method === 'ping' || (typeof method === 'string' && method.startsWith('notifications/'));

const unknownMethod = (method: unknown) => ({
  error: { code: UNKNOWN_METHOD, message: `This server has no method ${String(method).slice(0, 100)}.` },
});

/** Whether a request of the agent goes to this server. */
export function isForHuman(kind: string, request: unknown): boolean {
  return kind === 'mcp_message' && isRecord(request) && request.server_name === HUMAN_SERVER;
}
