// Made-up agent output in Claude Code's format.
const SESSION = '5f0c9f1e-0d5c-4e52-9a39-6f2d3c1b7a10';

type Random = () => number;
export type LineOf = (random: Random, i: number) => object;

/** Always the same bytes for the same arguments: a first line, then the lines of `lineOf`, every tenth line garbage. */
export function generate(lineOf: LineOf, lines: number, salt = 0): Buffer {
  const random = numbers(salt + 1);
  const init = { type: 'system', subtype: 'init', session_id: SESSION, tools: ['Bash', 'AskUserQuestion'] };
  const out = [JSON.stringify(init)];
  for (let i = 1; i < lines; i++) {
    if (i % 10 === 9) out.push(garbageLine(random, i));
    else out.push(JSON.stringify(lineOf(random, i + salt * lines)));
  }
  return Buffer.from(`${out.join('\n')}\n`);
}

/** Text, tools and their results, pieces of messages, sometimes a question. */
export function usualLine(random: Random, i: number): object {
  const kind = random();
  if (i % 5000 === 1) return assistant(i, [ask(i)]);
  if (i % 5000 === 2) return toolResult(random, `ask_${i - 1}`);
  if (kind < 0.25) return assistant(i, [{ type: 'text', text: words(random, 45) }]);
  if (kind < 0.45) return assistant(i, [tool(random, i)]);
  if (kind < 0.65) return toolResult(random, i);
  return piece(random);
}

/** Only lines that cannot be skipped. */
export function messageLine(random: Random, i: number): object {
  return assistant(i, [random() < 0.6 ? { type: 'text', text: words(random, 16) } : tool(random, i)]);
}

function garbageLine(random: Random, i: number): string {
  const kind = random();
  if (kind < 0.6) return `npm warn step ${i}: ${words(random, 200).replaceAll('\n', ' ')}`;
  const half = JSON.stringify(assistant(i, [{ type: 'text', text: words(random, 60) }]));
  return kind < 0.8 ? half.slice(0, 200) : `${half.slice(0, 150)} oops }`;
}

function assistant(i: number, content: object[]): object {
  const usage = { input_tokens: 100, cache_read_input_tokens: 0, output_tokens: i % 50 };
  const message = { id: `msg_${i}`, role: 'assistant', model: 'm', content, stop_reason: null, usage };
  return { type: 'assistant', message, parent_tool_use_id: null, session_id: SESSION };
}

function tool(random: Random, i: number): object {
  return { type: 'tool_use', id: `toolu_${i}`, name: 'Bash', input: { command: words(random, 5) } };
}

function ask(i: number): object {
  const options = [{ label: 'yes', description: 'do it' }, { label: 'no' }];
  const question = { question: `May I go on with ${i}?`, header: 'Go on', options, multiSelect: false };
  return {
    type: 'tool_use',
    id: `toolu_ask_${i}`,
    name: 'AskUserQuestion',
    input: { questions: [question] },
  };
}

function toolResult(random: Random, call: number | string): object {
  const content = [{ type: 'tool_result', tool_use_id: `toolu_${call}`, content: words(random, 150) }];
  return { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: SESSION };
}

function piece(random: Random): object {
  const delta = { type: 'text_delta', text: words(random, 25) };
  const event = { type: 'content_block_delta', index: 0, delta };
  return { type: 'stream_event', event, session_id: SESSION, parent_tool_use_id: null };
}

const WORDS = [
  'alpha',
  'beta',
  'café',
  'the',
  'plan',
  'of {x}',
  'a "b"',
  'for\nnow',
  'done',
  'über',
  'and',
  'with',
];

function words(random: Random, length: number): string {
  let text = '';
  while (text.length < length) text += `${WORDS[Math.floor(random() * WORDS.length)]} `;
  return text;
}

/** The same numbers in every run (mulberry32). */
function numbers(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
