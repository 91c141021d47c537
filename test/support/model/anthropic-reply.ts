import { randomUUID } from 'node:crypto';
import { pieces } from './sse.ts';

export type Block =
  | { type: 'text'; text: string }
  /** `afterMs`: how long the model pauses before this call, in a stream. */
  | { type: 'tool_use'; id: string; name: string; input: unknown; afterMs?: number }
  | { type: 'thinking'; thinking: string; signature: string };

/** A message of the model: one block, or several. */
export type AnthropicReply = Block | readonly Block[];

export const text = (words: string): Block => ({ type: 'text', text: words });

export const thinking = (words: string): Block => ({
  type: 'thinking',
  thinking: words,
  signature: Buffer.from('signed by the scripted model').toString('base64'),
});

/** `toolUse('toolu_1', 'AskUserQuestion', { questions: [...] })`: the id is what the answer comes back under. */
export const toolUse = (id: string, name: string, input: unknown): Block => ({
  type: 'tool_use',
  id,
  name,
  input,
});

/** Every reply costs the same, so that a test can tell how many it was billed for. */
export const USAGE = { input_tokens: 100, output_tokens: 20 };
const NO_CACHE = { cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

/** As the API answers without `stream`. */
export function messageOf(reply: AnthropicReply, model: string) {
  const content: readonly Block[] = Array.isArray(reply) ? reply : [reply as Block];
  const asksForTools = content.some((block) => block.type === 'tool_use');
  return {
    id: `msg_${randomUUID().replaceAll('-', '').slice(0, 24)}`,
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: asksForTools ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { ...USAGE, ...NO_CACHE },
  };
}

/** As the API answers with `stream`; a `cut` one stops within its last block. */
export function eventsOf(message: ReturnType<typeof messageOf>, cut: boolean): { type: string }[] {
  const { content, stop_reason, usage } = message;
  const start = { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } };
  const blocks = content.flatMap((block, index) => blockEvents(block, index));
  if (cut) return [{ type: 'message_start', message: start }, ...blocks.slice(0, -1)] as { type: string }[];
  return [
    { type: 'message_start', message: start },
    { type: 'ping' },
    ...blocks,
    {
      type: 'message_delta',
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: usage.output_tokens },
    },
    { type: 'message_stop' },
  ] as { type: string }[];
}

function blockEvents(block: Block, index: number): { type: string }[] {
  const around = (empty: object, deltas: object[]) => [
    { type: 'content_block_start', index, content_block: empty },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
  switch (block.type) {
    case 'text':
      return around(
        { type: 'text', text: '' },
        pieces(block.text, 40).map((piece) => ({ type: 'text_delta', text: piece })),
      );
    case 'tool_use': {
      const { afterMs: ms = 0, ...call } = block;
      const events = around({ ...call, input: {} }, [
        { type: 'input_json_delta', partial_json: '' },
        ...pieces(JSON.stringify(block.input), 50).map((partial_json) => ({
          type: 'input_json_delta',
          partial_json,
        })),
      ]);
      return ms > 0 ? [{ type: 'pause', ms } as { type: string }, ...events] : events;
    }
    case 'thinking':
      return around({ type: 'thinking', thinking: '', signature: '' }, [
        ...pieces(block.thinking, 40).map((piece) => ({ type: 'thinking_delta', thinking: piece })),
        { type: 'signature_delta', signature: block.signature },
      ]);
    default:
      return block satisfies never;
  }
}
