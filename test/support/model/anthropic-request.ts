import * as z from 'zod';

const Sent = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  tool_use_id: z.string().optional(),
  is_error: z.boolean().optional(),
});

const Content = z
  .union([z.string(), z.array(Sent)])
  .transform((content) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content))
  .pipe(z.array(Sent));

const Body = z.looseObject({
  model: z.string(),
  stream: z.boolean().default(false),
  system: Content.default([]),
  messages: z.array(z.looseObject({ role: z.string(), content: Content })).min(1),
  tools: z.array(z.looseObject({ name: z.string() })).default([]),
});

type SentBlock = z.infer<typeof Sent>;

export interface AnthropicRequest {
  model: string;
  stream: boolean;
  system: string;
  messages: { role: string; content: SentBlock[] }[];
  /** Names of the tools that were offered. */
  tools: string[];
  /** With the CLI's version in it. */
  userAgent: string;
}

/** Throws if the API would respond with 400. */
export function readRequest(body: string, userAgent = ''): AnthropicRequest {
  const { model, stream, system, messages, tools } = Body.parse(JSON.parse(body));
  requireWholeConversation(messages);
  return {
    model,
    stream,
    system: system.map((block) => block.text ?? '').join('\n'),
    messages: messages.map(({ role, content }) => ({ role, content })),
    tools: tools.map(({ name }) => name),
    userAgent,
  };
}

/** The user's messages, without tool results. Includes the CLI's own reminders. */
export function userTexts(request: AnthropicRequest): string[] {
  return blocks(request, 'user').flatMap((block) => (block.type === 'text' ? [block.text ?? ''] : []));
}

export interface ToolResult {
  text: string;
  isError: boolean;
}

/** What the CLI first sent back as the result of that tool call; undefined if it never did. */
export function toolResult(requests: readonly AnthropicRequest[], toolUseId: string): ToolResult | undefined {
  const result = requests
    .flatMap((request) => blocks(request, 'user'))
    .find((block) => block.type === 'tool_result' && block.tool_use_id === toolUseId);
  if (result === undefined) return undefined;
  const content = Content.parse(result.content ?? []);
  return { text: content.map(({ text = '' }) => text).join('\n'), isError: result.is_error === true };
}

function blocks(request: AnthropicRequest, role: string): SentBlock[] {
  return request.messages.filter((message) => message.role === role).flatMap(({ content }) => content);
}

/**
 * The real API refuses a tool call without a result in the very next message, and a result without its call. A server
 * that accepted it would hide a session that no real model can continue.
 */
function requireWholeConversation(all: AnthropicRequest['messages']): void {
  const messages = all.filter(({ role }) => role !== 'system'); // reminders, anywhere in between
  for (const [index, { role, content }] of [...messages, { role: 'end', content: [] }].entries()) {
    const called = idsOf(messages[index - 1]?.content ?? [], 'tool_use', 'id');
    const answered = idsOf(content, 'tool_result', 'tool_use_id');
    const open = called.filter((id) => !answered.includes(id));
    if (open.length > 0)
      throw new Error(
        `messages.${index} (${role}): tool_use ids were found without tool_result blocks immediately after: ${open}`,
      );
    const unasked = answered.filter((id) => !called.includes(id));
    if (unasked.length > 0)
      throw new Error(
        `messages.${index} (${role}): unexpected tool_use_id found in tool_result blocks: ${unasked}`,
      );
  }
}

function idsOf(content: readonly SentBlock[], type: string, key: 'id' | 'tool_use_id'): string[] {
  return content.flatMap((block) => (block.type === type ? [block[key] ?? ''] : []));
}
