import type { DeniedTool } from '../stream/events.ts';
import { type JsonRecord, text } from '../stream/fields.ts';

export const ASK_TOOL = 'AskUserQuestion';

export function isAskHook(input: JsonRecord): boolean {
  return input.tool_name === ASK_TOOL && input.hook_event_name === 'PreToolUse';
}

export function deniedTool(entry: JsonRecord): DeniedTool | undefined {
  const tool = text(entry.tool_name);
  return tool === undefined
    ? undefined
    : { tool, toolUseId: text(entry.tool_use_id), input: entry.tool_input };
}

export function deferredTool(entry: JsonRecord): DeniedTool | undefined {
  const tool = text(entry.name);
  return tool === undefined ? undefined : { tool, toolUseId: text(entry.id), input: entry.input };
}

/** The HTTP status of an API error. */
export function statusOf(status: unknown, said: string | undefined): number | null {
  if (typeof status === 'number') return status;
  return LOGGED_OUT.test(said ?? '') ? 401 : null;
}

/** Without a login, Claude Code does not even try to reach the API. */
const LOGGED_OUT = /please run \/login/i;
