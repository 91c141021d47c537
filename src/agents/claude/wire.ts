import { HUMAN_SERVER } from '../questions/ask-human.ts';
import { ASK_TOOL } from './tools.ts';

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
