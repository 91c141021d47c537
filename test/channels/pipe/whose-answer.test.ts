import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import type { PipeAsk } from '../../../src/channels/pipe/answer-line.ts';
import { PipeChannel, type PipeEnd } from '../../../src/channels/pipe/pipe-channel.ts';
import { cases } from '../../support/long.ts';

const SECONDS = 5;
const turn = () => new Promise((resolve) => setImmediate(resolve));

type Valued<T> = T extends fc.Arbitrary<infer Value> ? Value : never;

/** The person replies to a question that they have seen, usably or not; or the parent writes nonsense. */
const move = fc.record({
  kind: fc.constantFrom('answer', 'answer', 'answer', 'answer', 'unusable', 'nonsense'),
  which: fc.nat(9),
  withId: fc.boolean(),
});
type Move = Valued<typeof move>;

const conversation = fc.record({
  questions: fc.array(
    fc.record({
      gap_type: fc.constantFrom('scope', 'general'),
      needsId: fc.nat(4).map((n) => n === 0),
      isAnnounced: fc.boolean(),
      moves: fc.array(move, { maxLength: 4 }),
      isSettledElsewhere: fc.boolean(),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  /** How many of the announced questions are answered in their order, before the first is asked. */
  ahead: fc.nat(4),
  after: fc.array(move, { maxLength: 4 }),
});

const meant = (id: string, withId: boolean) => `for ${id}${withId ? ', by id' : ''}`;

/** One conversation: what was taken for which question, and what else became of the lines. */
async function hold({ questions, ahead, after }: Valued<typeof conversation>) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const taken: { id: string; answer: unknown }[] = [];
  const others: string[] = [];
  const take = (id: string, end: PipeEnd) => {
    if (end.kind === 'answer') taken.push({ id, answer: end.answer });
    else if (end.kind === 'failed' && !end.message.startsWith('No answer')) others.push(end.message);
  };
  const asks = questions.map(({ gap_type, needsId, isAnnounced }, number) => {
    const id = `q${number}`;
    return {
      asked: { type: 'question' as const, gap_type, question: '?', options: [], context: '', id },
      needsId,
      isAnnounced,
    };
  });
  const announced = asks.filter(({ isAnnounced }) => isAnnounced);
  const channel = new PipeChannel(announced, {
    input,
    output,
    timeoutSeconds: SECONDS,
    report: (message) => others.push(message),
    late: take,
    refused: (why) => others.push(why),
  });
  let lines = 0;
  const say = async (line: object | string) => {
    lines++;
    input.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
    await turn();
  };
  const early = new Set(announced.slice(0, ahead));
  for (const { asked } of early) await say({ gap_type: asked.gap_type, answer: meant(asked.id, false) });
  const seen: { of: PipeAsk; hasAnswer: boolean }[] = [];
  const make = async ({ kind, which, withId }: Move) => {
    // Without an id, the person answers each question once.
    const possible = seen.filter(({ hasAnswer }) => withId || !hasAnswer);
    const one = possible[which % possible.length];
    if (kind === 'nonsense' || !one) return say('what?');
    const { id, gap_type } = one.of.asked;
    const named = { gap_type, ...(withId ? { id } : {}) };
    if (kind === 'unusable') return say({ ...named, answer: 42 });
    one.hasAnswer = true;
    return say({ ...named, answer: meant(id, withId) });
  };
  for (const [number, of] of asks.entries()) {
    const elsewhere = new AbortController();
    let isWaiting = true;
    const end = channel.ask(of, elsewhere.signal).finally(() => {
      isWaiting = false;
    });
    seen.push({ of, hasAnswer: early.has(of) });
    await turn();
    for (const each of questions[number]?.moves ?? []) if (isWaiting) await make(each);
    if (questions[number]?.isSettledElsewhere) elsewhere.abort();
    else vi.advanceTimersByTime(SECONDS * 1000);
    take(of.asked.id, await end);
  }
  for (const each of after) await make(each);
  channel.close();
  return { asks, taken, others, lines };
}

afterEach(() => void vi.useRealTimers());

test('BIND-17 whatever ends without an answer, and in whatever order answers come, none is taken for another question', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let answers = 0;
  await fc.assert(
    fc.asyncProperty(conversation, async (drawn) => {
      const { asks, taken, others, lines } = await hold(drawn);
      for (const { asked, needsId } of asks) {
        const valid = [meant(asked.id, true), ...(needsId ? [] : [meant(asked.id, false)])];
        for (const { id, answer } of taken) if (id === asked.id) expect(valid).toContain(answer);
      }
      expect(taken.length + others.length, 'every line is taken or reported').toBe(lines);
      expect(others.filter((text) => text.includes('No question has the id'))).toEqual([]);
      answers += taken.length;
    }),
    { numRuns: cases(2000) },
  );
  expect(answers).toBeGreaterThan(cases(2000));
});
