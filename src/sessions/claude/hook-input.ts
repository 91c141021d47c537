import * as z from 'zod';

/** Session and agent ids become parts of file names. */
const id = z.string().regex(/^[\w-]{1,100}$/);

const common = {
  session_id: id,
  transcript_path: z.string().max(4096),
  cwd: z.string().max(4096),
  /** Set if a sub-agent is at work. */
  agent_id: id.optional(),
  agent_type: z.string().optional(),
};

/** What Claude Code gives to its hooks; it has more fields than these. */
export const HookInput = z.discriminatedUnion('hook_event_name', [
  z.object({ ...common, hook_event_name: z.literal('SessionStart') }),
  z.object({ ...common, hook_event_name: z.literal('UserPromptSubmit'), prompt: z.string() }),
  z.object({
    ...common,
    hook_event_name: z.literal('PermissionRequest'),
    tool_name: z.string(),
    tool_input: z.unknown(),
    permission_suggestions: z.unknown().optional(),
  }),
  z.object({
    ...common,
    hook_event_name: z.literal('PostToolUse'),
    tool_name: z.string(),
    tool_input: z.unknown(),
    tool_use_id: z.string(),
    tool_response: z.unknown(),
  }),
  z.object({
    ...common,
    hook_event_name: z.literal('Stop'),
    stop_hook_active: z.boolean().optional(),
    last_assistant_message: z.string().optional(),
  }),
  z.object({ ...common, hook_event_name: z.literal('SessionEnd'), reason: z.string() }),
]);
export type HookInput = z.infer<typeof HookInput>;
export type PostToolUse = Extract<HookInput, { hook_event_name: 'PostToolUse' }>;
export type PermissionRequest = Extract<HookInput, { hook_event_name: 'PermissionRequest' }>;
