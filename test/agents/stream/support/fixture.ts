import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AgentStream, type AgentStreamOptions } from '../../../../src/agents/stream/agent-stream.ts';
import type { StreamEvent } from '../../../../src/agents/stream/events.ts';
import type { RunView } from '../../../../src/agents/stream/view.ts';

/** A recording in the shape of the real ones; the words are our own. */
export function fixture(name: string): Buffer {
  return readFileSync(join(import.meta.dirname, '../fixtures', `${name}.jsonl`));
}

export function read(output: string | Uint8Array, options: AgentStreamOptions = {}): RunView {
  return heard(output, options).view;
}

/** The view of a run and all its events. */
export function heard(
  output: string | Uint8Array,
  options: AgentStreamOptions = {},
): { view: RunView; events: StreamEvent[] } {
  const events: StreamEvent[] = [];
  const stream = new AgentStream({ ...options, onEvent: (event) => events.push(event) });
  stream.push(typeof output === 'string' ? Buffer.from(output) : output);
  stream.end();
  return { view: stream.view(), events };
}

/** Objects as lines. */
export function lines(...objects: unknown[]): string {
  return objects.map((object) => `${JSON.stringify(object)}\n`).join('');
}

export const SESSION = '11111111-2222-4333-8444-555555555555';

export function init(more: object = {}): object {
  return { type: 'system', subtype: 'init', session_id: SESSION, tools: [], ...more };
}

export function assistant(content: unknown, more: object = {}, message: object = {}): object {
  const about = { id: 'm1', role: 'assistant', content, ...message };
  return { type: 'assistant', message: about, parent_tool_use_id: null, session_id: SESSION, ...more };
}

export const says = (text: string, id = 'm1') => assistant([{ type: 'text', text }], {}, { id });

export function asks(toolUseId: string | undefined, input: unknown, more: object = {}): object {
  return assistant([{ type: 'tool_use', id: toolUseId, name: 'AskUserQuestion', input }], more);
}
