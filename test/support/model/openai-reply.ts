import { randomUUID } from 'node:crypto';
import { pieces } from './sse.ts';

export type Item =
  | { type: 'message'; text: string }
  | { type: 'reasoning'; summary: string }
  | { type: 'function_call'; callId: string; name: string; arguments: unknown; namespace?: string };

/** A response of the model: one item, or several. */
export type OpenAiReply = Item | readonly Item[];

export const message = (text: string): Item => ({ type: 'message', text });

export const reasoning = (summary: string): Item => ({ type: 'reasoning', summary });

/** `functionCall('call_1', 'ask_human', { question: 'Which?' })`: the answer comes back under the call id. */
export const functionCall = (callId: string, name: string, args: unknown, namespace?: string): Item => ({
  type: 'function_call',
  callId,
  name,
  arguments: args,
  ...(namespace === undefined ? {} : { namespace }),
});

/** Every response costs the same, so that a test can tell how many it was billed for. */
export const USAGE = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 120,
};

interface Event {
  type: string;
  [field: string]: unknown;
}

/** As the API streams it; a `cut` response never completes. */
export function eventsOf(reply: OpenAiReply, model: string, cut: boolean): Event[] {
  const items: readonly Item[] = Array.isArray(reply) ? reply : [reply as Item];
  const response = { id: newId('resp'), object: 'response', model, status: 'in_progress', output: [] };
  const streamed = items.map(streamOf);
  const output = streamed.map(({ done }) => done);
  const events: Event[] = [
    { type: 'response.created', response },
    { type: 'response.in_progress', response },
    ...streamed.flatMap(({ added, deltas, done }, output_index) => [
      { type: 'response.output_item.added', output_index, item: added },
      ...deltas.map((delta) => ({ ...delta, item_id: done.id, output_index })),
      { type: 'response.output_item.done', output_index, item: done },
    ]),
    { type: 'response.completed', response: { ...response, status: 'completed', output, usage: USAGE } },
  ];
  const sent = cut ? events.slice(0, -2) : events;
  return sent.map((event, sequence_number) => ({ ...event, sequence_number }));
}

function streamOf(item: Item): { added: object; deltas: Event[]; done: { id: string } } {
  switch (item.type) {
    case 'message':
      return streamOfMessage(item.text);
    case 'function_call':
      return streamOfCall(item);
    case 'reasoning': {
      const done = {
        type: 'reasoning',
        id: newId('rs'),
        summary: [{ type: 'summary_text', text: item.summary }],
        encrypted_content: null,
      };
      return { added: { ...done, summary: [] }, deltas: [], done };
    }
    default:
      return item satisfies never;
  }
}

function streamOfMessage(text: string) {
  const part = { type: 'output_text', text, annotations: [] };
  const done = { type: 'message', id: newId('msg'), role: 'assistant', status: 'completed', content: [part] };
  const at = { content_index: 0 };
  return {
    added: { ...done, status: 'in_progress', content: [] },
    deltas: [
      { type: 'response.content_part.added', ...at, part: { ...part, text: '' } },
      ...pieces(text, 40).map((delta) => ({ type: 'response.output_text.delta', ...at, delta })),
      { type: 'response.output_text.done', ...at, text },
      { type: 'response.content_part.done', ...at, part },
    ],
    done,
  };
}

function streamOfCall({ callId, name, namespace, ...call }: Extract<Item, { type: 'function_call' }>) {
  const args = JSON.stringify(call.arguments);
  const done = {
    type: 'function_call',
    id: newId('fc'),
    call_id: callId,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    arguments: args,
    status: 'completed',
  };
  return {
    added: { ...done, arguments: '', status: 'in_progress' },
    deltas: [
      ...pieces(args, 50).map((delta) => ({ type: 'response.function_call_arguments.delta', delta })),
      { type: 'response.function_call_arguments.done', arguments: args },
    ],
    done,
  };
}

const newId = (kind: string) => `${kind}_${randomUUID().replaceAll('-', '')}`;
