import { AgentStream, type AgentStreamOptions } from './agent-stream.ts';
import type { RunView } from './view.ts';

export type AgentOutput =
  | string
  | Uint8Array
  | Iterable<Uint8Array | string>
  | AsyncIterable<Uint8Array | string>;

/**
 * Reads the output of an agent's run to its end: session, questions, text, tokens, and how it ended.
 *
 * @example const view = await readAgentStream(createReadStream('run.jsonl'), { from: 'claude' });
 */
export async function readAgentStream(
  output: AgentOutput,
  options: AgentStreamOptions = {},
): Promise<RunView> {
  const stream = new AgentStream(options);
  const chunks = typeof output === 'string' || output instanceof Uint8Array ? [output] : output;
  for await (const chunk of chunks) stream.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  stream.end();
  return stream.view();
}
