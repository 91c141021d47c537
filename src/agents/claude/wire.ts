import { askHuman, HUMAN_SERVER } from '../questions/ask-human.ts';
import { isRecord, record, text } from '../stream/agent-reader.ts';

export const ASK_TOOL = 'AskUserQuestion';

/** What we write to Claude Code: one JSON object per line. Claude Code exits on a line that is not JSON. */
export type Outgoing = { type: 'user' | 'control_request' | 'control_response'; [key: string]: unknown };

/** The hook that reports a question before Claude Code asks for permission to ask it. */
const ASK_HOOK = 'fermata-ask';
export const INITIALIZE = 'fermata-initialize';
const INTERRUPT = 'fermata-interrupt';
/** The model name of messages that Claude Code writes itself, such as an API error. */
export const SYNTHETIC = '<synthetic>';

export function userMessage(text: string): Outgoing {
  return { type: 'user', message: { role: 'user', content: text } };
}

/** With `holdSeconds`, questions come to our hook first, which may hold them for that long. */
export function initialize(holdSeconds: number | undefined): Outgoing {
  const hook = { matcher: ASK_TOOL, hookCallbackIds: [ASK_HOOK], timeout: holdSeconds };
  return request(INITIALIZE, {
    subtype: 'initialize',
    sdkMcpServers: [HUMAN_SERVER],
    ...(holdSeconds === undefined ? {} : { hooks: { PreToolUse: [hook] } }),
  });
}

export function interrupt(): Outgoing {
  return request(INTERRUPT, { subtype: 'interrupt' });
}

/** `permissions` apply from now on. Their destination is the session, because any other is a settings file. */
export function allow(requestId: string, updatedInput: unknown, permissions: object[] = []): Outgoing {
  const updatedPermissions = permissions.map((each) => ({ ...each, destination: 'session' }));
  const more = permissions.length > 0 ? { updatedPermissions } : {};
  return success(requestId, { behavior: 'allow', updatedInput, ...more });
}

/** The message becomes the tool's result; without one the call is refused as malformed. */
export function deny(requestId: string, message: string): Outgoing {
  return success(requestId, { behavior: 'deny', message: message === '' ? 'Refused.' : message });
}

export function allowThroughHook(requestId: string, updatedInput: unknown): Outgoing {
  return success(requestId, preToolUse({ permissionDecision: 'allow', updatedInput }));
}

/** Ends the run. The question stays in the session and is repeated when the session is resumed. */
export function defer(requestId: string): Outgoing {
  return success(requestId, preToolUse({ permissionDecision: 'defer' }));
}

/** The hook has no opinion. */
export function pass(requestId: string): Outgoing {
  return success(requestId, {});
}

export function unsupported(requestId: string, what: string): Outgoing {
  const error = `Fermata does not support the request "${what}".`;
  return { type: 'control_response', response: { subtype: 'error', request_id: requestId, error } };
}

function preToolUse(decision: object): object {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...decision } };
}

function request(id: string, content: object): Outgoing {
  return { type: 'control_request', request_id: id, request: content };
}

export function success(requestId: string, response: object): Outgoing {
  return { type: 'control_response', response: { subtype: 'success', request_id: requestId, response } };
}

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

/** A version as its numbers, for comparing. */
export type Version = readonly [number, number, number];

/** The first version whose PreToolUse hooks can `defer` a tool call. */
export const PARKS_SINCE: Version = [2, 1, 89];

export function isAtLeast(version: string | undefined, least: Version): boolean {
  const numbers = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})/
    .exec(version ?? '')
    ?.slice(1)
    .map(Number);
  if (!numbers) return false;
  for (const [index, minimum] of least.entries()) {
    const number = numbers[index] ?? 0;
    if (number !== minimum) return number > minimum;
  }
  return true;
}
