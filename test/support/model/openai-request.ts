import * as z from 'zod';

const Part = z.looseObject({ type: z.string(), text: z.string().optional() });

const Sent = z.looseObject({
  type: z.string().default('message'),
  role: z.string().optional(),
  content: z.union([z.string(), z.array(Part)]).nullish(),
  call_id: z.string().optional(),
  name: z.string().optional(),
  output: z.unknown().optional(),
});

const Body = z.looseObject({
  model: z.string(),
  stream: z.literal(true),
  instructions: z.string().default(''),
  input: z.array(Sent),
  tools: z.array(z.looseObject({ type: z.string(), name: z.string().optional() })).default([]),
});

type SentItem = z.infer<typeof Sent>;

export interface OpenAiRequest {
  model: string;
  instructions: string;
  /** The conversation so far, as the CLI sent it. */
  input: SentItem[];
  /** Names of the tools that were offered; of a tool without a name, its type. */
  tools: string[];
  userAgent: string;
}

/** Throws if the API would respond with 400. */
export function readRequest(body: string, userAgent = ''): OpenAiRequest {
  const { model, instructions, input, tools } = Body.parse(JSON.parse(body));
  requireWholeConversation(input);
  return { model, instructions, input, tools: tools.map(({ name, type }) => name ?? type), userAgent };
}

/** The user's messages. Includes the CLI's own notes (environment, instructions). */
export function userTexts(request: OpenAiRequest): string[] {
  return request.input.filter(({ role }) => role === 'user').map(({ content }) => textOf(content));
}

/** What the CLI first sent back as the output of that call; undefined if it never did. */
export function functionOutput(requests: readonly OpenAiRequest[], callId: string): string | undefined {
  const item = requests
    .flatMap(({ input }) => input)
    .find(({ type, call_id }) => isOutput(type) && call_id === callId);
  return item === undefined ? undefined : textOf(item.output);
}

/** The real API refuses a call without an output, and an output without its call. */
function requireWholeConversation(input: readonly SentItem[]): void {
  const calls = input.filter(({ type }) => isCall(type)).map(({ call_id }) => call_id);
  const outputs = input.filter(({ type }) => isOutput(type)).map(({ call_id }) => call_id);
  const open = calls.find((id) => !outputs.includes(id));
  if (open !== undefined) throw new Error(`No tool output found for function call ${open}.`);
  const unasked = outputs.find((id) => !calls.includes(id));
  if (unasked !== undefined)
    throw new Error(`No tool call found for function call output with call_id ${unasked}.`);
}

const isCall = (type: string) => type === 'function_call' || type === 'custom_tool_call';
const isOutput = (type: string) => type === 'function_call_output' || type === 'custom_tool_call_output';

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = z.array(Part).safeParse(content);
  return parts.success ? parts.data.map(({ text = '' }) => text).join('\n') : '';
}
