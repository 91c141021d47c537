import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AgentStream, type AgentStreamOptions } from '../../../src/agents/stream/agent-stream.ts';
import { agentKinds } from '../../../src/agents/stream/events.ts';
import type { RunView } from '../../../src/agents/stream/view.ts';
import { cases } from '../../support/long.ts';
import { asks, assistant, fixture, init, SESSION, says } from './support/fixture.ts';

function readChunks(chunks: Uint8Array[], options: AgentStreamOptions = {}): RunView {
  const stream = new AgentStream(options);
  for (const chunk of chunks) stream.push(chunk);
  stream.end();
  return stream.view();
}

/** Cuts bytes at the given places, which may be anywhere and in any order. */
function cutAt(bytes: Buffer, places: number[]): Buffer[] {
  const cuts = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return cuts.slice(1).map((cut, index) => bytes.subarray(cuts[index], cut));
}

const names = [
  'claude-allow-answers',
  'claude-sub-agent',
  'claude-partial-messages',
  'claude-interrupted',
  'codex-app-server-question',
  'codex-exec',
  'gemini-ask',
  'acp-elicitation',
];

/** Keys in any order: `type` need not be the first. */
const shuffled = (object: object) =>
  fc
    .shuffledSubarray(Object.entries(object), { minLength: Object.keys(object).length })
    .map((entries) => Object.fromEntries(entries));

const id = fc.constantFrom('a', 'b', 'c');
const words = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.constantFrom(
    '}{',
    '} {"type":"result"}',
    '"type":"result"',
    '{"type":"assistant"}',
    '\n}\n{',
    'é€🙂',
    '\\"}',
  ),
);
const maybe = (object: object) => fc.option(fc.constant(object), { nil: {} });
const usage = fc.record({ input_tokens: fc.nat(9), output_tokens: fc.nat(9) });
const result = (type: string) =>
  fc.record({ type: fc.constant(type), tool_use_id: id, content: words, is_error: fc.boolean() });

const event = fc
  .oneof(
    maybe({ session_id: 'other' }).map((more) => init(more)),
    fc
      .tuple(words, id, usage)
      .map(([text, of, figures]) => assistant([{ type: 'text', text }], {}, { id: of, usage: figures })),
    fc
      .tuple(id, words, maybe({ parent_tool_use_id: 'p' }))
      .map(([of, text, more]) => asks(of, { questions: [text] }, more)),
    fc
      .tuple(id, words)
      .map(([of, command]) =>
        assistant([{ type: 'tool_use', id: of, name: 'Bash', input: { command, type: 'user' } }]),
      ),
    fc.tuple(fc.array(result('tool_result'), { maxLength: 2 }), words).map(([content, more]) => ({
      type: 'user',
      message: { role: 'user', content },
      session_id: SESSION,
      tool_use_result: { type: 'result', stdout: more },
    })),
    words.map((text) => ({ type: 'user', message: { role: 'user', content: text }, session_id: 'u' })),
    fc
      .tuple(
        fc.constantFrom('content_block_delta', 'content_block_start', 'message_start', 'message_delta'),
        words,
        usage,
      )
      .map(([type, text, figures]) => ({
        type: 'stream_event',
        event: {
          type,
          delta: { type: 'text_delta', text, stop_reason: 'end_turn' },
          message: { id: 'a', usage: figures },
          usage: figures,
        },
        session_id: SESSION,
      })),
    fc.tuple(id, words).map(([of, text]) => ({
      type: 'control_request',
      request_id: of,
      request: {
        subtype: 'can_use_tool',
        tool_name: 'AskUserQuestion',
        tool_use_id: of,
        input: { questions: [text] },
      },
    })),
    fc.tuple(usage, id, words, fc.boolean()).map(([figures, of, text, is_error]) => ({
      type: 'result',
      is_error,
      result: text,
      usage: figures,
      permission_denials: [
        { tool_name: 'AskUserQuestion', tool_use_id: of, tool_input: { questions: [text] } },
      ],
    })),
  )
  .chain((object) =>
    fc.oneof({ weight: 3, arbitrary: fc.constant(object) }, { weight: 1, arbitrary: shuffled(object) }),
  );

/** Compact, or with a space after each separator, as programs other than `JSON.stringify` write it. */
const line = fc.tuple(event, fc.boolean()).map(([object, spaced]) => {
  const json = JSON.stringify(object);
  if (!spaced) return json;
  return json.replaceAll(/("(?:[^"\\]|\\.)*")|([:,])/g, (_, text, mark) => text ?? `${mark} `);
});
const output = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: line },
      { weight: 1, arbitrary: fc.tuple(line, line).map(([a, b]) => `${a}${b}`) },
      {
        weight: 1,
        arbitrary: fc.tuple(line, fc.constantFrom(' ', '\t', ' \r '), line).map((parts) => parts.join('')),
      },
      { weight: 1, arbitrary: fc.tuple(line, fc.nat()).map(([text, at]) => text.slice(0, at % text.length)) },
      { weight: 1, arbitrary: words.map((text) => text.replaceAll('\n', ' ')) },
    ),
    { maxLength: 25 },
  )
  .map((all) => Buffer.from(`${all.join('\n')}\n`));

/** `npm test` has a quarter of the runs. */
describe('whatever an agent prints', () => {
  it.each(names)('STR-1 any chunks of the same bytes give the same view: %s', (name) => {
    const bytes = fixture(name);
    const whole = readChunks([bytes]);
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 12 }), (places) => {
        expect(readChunks(cutAt(bytes, places))).toEqual(whole);
      }),
      { numRuns: cases(60) },
    );
    expect(readChunks([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(whole);
  });

  it('STR-1 any chunks of a made-up stream give the same view', () => {
    fc.assert(
      fc.property(output, fc.array(fc.nat(), { maxLength: 20 }), (bytes, places) => {
        expect(readChunks(cutAt(bytes, places))).toEqual(readChunks([bytes]));
      }),
      { numRuns: cases(200) },
    );
  });

  it('STR-7 skipping lines that cannot matter changes nothing', () => {
    fc.assert(
      fc.property(output, fc.constantFrom('claude' as const, undefined), (bytes, from) => {
        const all = readChunks([bytes], { from, skipsLines: false });
        expect(readChunks([bytes], { from })).toEqual(all);
      }),
      { numRuns: cases(1500) },
    );
  });

  it('STR-1 arbitrary bytes never throw, and every line that is not blank is read or counted', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 400 }),
        fc.constantFrom(...agentKinds, undefined),
        (bytes, from) => {
          const view = readChunks([bytes], { from });
          expect(view.skippedLines).toBeLessThanOrEqual(
            Buffer.from(bytes).toString('latin1').split('\n').length,
          );
        },
      ),
      { numRuns: cases(500) },
    );
  });

  it('STR-1 any JSON never throws, whichever agent is named', () => {
    const types = [
      'system',
      'assistant',
      'user',
      'result',
      'control_request',
      'control_response',
      'stream_event',
    ];
    const more = [
      'init',
      'message',
      'tool_use',
      'tool_result',
      'item.completed',
      'turn.completed',
      'thread.started',
    ];
    const methods = [
      'item/completed',
      'turn/completed',
      'item/tool/requestUserInput',
      'session/update',
      'elicitation/create',
    ];
    const keys = [
      'message',
      'request',
      'response',
      'item',
      'params',
      'result',
      'event',
      'content',
      'usage',
      'update',
      'id',
    ];
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.dictionary(fc.constantFrom(...keys), fc.jsonValue()),
    );
    const object = fc.tuple(
      fc.constantFrom(...types, ...more),
      fc.constantFrom(...methods, undefined),
      fc.dictionary(fc.constantFrom(...keys, 'jsonrpc', 'subtype', 'errors', 'permission_denials'), value),
    );
    fc.assert(
      fc.property(
        fc.array(object, { maxLength: 6 }),
        fc.constantFrom(...agentKinds, undefined),
        (objects, from) => {
          const text = objects
            .map(([type, method, rest]) => JSON.stringify(method ? { method, ...rest } : { type, ...rest }))
            .join('\n');
          const view = readChunks([Buffer.from(text)], { from });
          expect(JSON.parse(JSON.stringify(view))).toBeTruthy();
          expect(readChunks([Buffer.from(text)], { from, skipsLines: false })).toEqual(view);
        },
      ),
      { numRuns: cases(500) },
    );
  });
});

describe('a stream without end', () => {
  it('STR-7 keeps text, questions, errors and warnings up to a limit, and says so', () => {
    const stream = new AgentStream({ from: 'claude' });
    const push = (object: unknown) => stream.push(Buffer.from(`${JSON.stringify(object)}\n`));
    for (let i = 0; i < 1200; i++) push(asks(`ask-${i}`, { questions: [`Q${i}?`] }));
    for (let i = 0; i < 300; i++) push({ type: 'result', is_error: true, errors: [`error ${i}`] });
    for (let i = 0; i < 100; i++) push(says('x'.repeat(100_000)));
    const view = stream.view();
    expect(view.questions).toHaveLength(1000);
    expect(view.errors).toHaveLength(101);
    expect(view.errors.at(-1)).toBe('The agent asked too many questions; 200 were dropped.');
    expect(view.text).toHaveLength(8 * 1024 * 1024);
    expect(view.textCut).toBe(true);
  });

  it('STR-7 tool results are not skipped while a question is open', () => {
    const stream = new AgentStream({ from: 'claude' });
    const push = (object: unknown) => stream.push(Buffer.from(`${JSON.stringify(object)}\n`));
    const back = { type: 'tool_result', tool_use_id: 'a', content: 'Red.' };
    push(init());
    push(asks('a', { questions: ['Q?'] }));
    push({
      type: 'user',
      message: { role: 'user', content: [{ ...back, tool_use_id: 'z' }] },
      session_id: SESSION,
    });
    push({ type: 'user', message: { role: 'user', content: [back] }, session_id: SESSION });
    expect(stream.view().questions[0]?.state).toBe('answered');
  });
});
