import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { PipeAsk, PipeReply } from '../../../src/channels/pipe/answer-line.ts';
import { PipeChannel } from '../../../src/channels/pipe/pipe-channel.ts';
import { QAAnswer, QAQuestion } from '../../../src/schema/qa.ts';

const LONG = 60;
const never = new AbortController().signal;

function question(
  id: string,
  gap_type: QAQuestion['gap_type'] = 'scope',
  more: Partial<QAQuestion> = {},
): PipeAsk {
  const [type, options] = ['question' as const, ['Yes', 'No']];
  return { asked: { type, id, gap_type, question: `${id}?`, options, context: '', ...more }, needsId: false };
}

const approval = (id: string): PipeAsk => ({ ...question(id, 'general'), needsId: true });

function talk(questions: PipeAsk[], timeoutSeconds = LONG) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const reports: string[] = [];
  const late: { id: string; reply: PipeReply }[] = [];
  const refused: { why: string; written: string[] }[] = [];
  const channel = new PipeChannel(questions, {
    input,
    output,
    timeoutSeconds,
    report: (message) => reports.push(message),
    late: (id, reply) => late.push({ id, reply }),
    refused: (why, written) => refused.push({ why, written: written.map(({ id }) => id) }),
  });
  onTestFinished(() => channel.close());
  const lines = () =>
    String(output.read() ?? '')
      .split('\n')
      .filter(Boolean);
  return { channel, input, output, reports, late, refused, lines };
}

const line = (answer: Partial<QAAnswer>) =>
  `${JSON.stringify({ type: 'answer', gap_type: 'scope', ...answer })}\n`;
const answer = (text: string) => ({ kind: 'answer', answer: text });
const turn = () => new Promise((resolve) => setImmediate(resolve));

interface Vector {
  name: string;
  line: string;
  answer?: string;
  skip?: true;
  failed?: string;
}
const vectors: Vector[] = JSON.parse(readFileSync(join(import.meta.dirname, '../vectors/pipe.json'), 'utf8'));

describe('one line from the parent (PIPE-3, PIPE-7)', () => {
  test.each(vectors)('$name', async ({ line: text, answer: expected, skip, failed }) => {
    const asked = question('q1');
    const { channel, input } = talk([asked]);
    const end = channel.ask(asked, never);
    input.write(`${text}\n`);
    if (failed) expect(await end).toMatchObject({ kind: 'failed', message: expect.stringContaining(failed) });
    else expect(await end).toEqual(skip ? { kind: 'skip' } : answer(expected ?? ''));
  });

  test('gives several answers if the question allows it, each once', async () => {
    const asked = question('q1', 'scope', { multi: true });
    const { channel, input } = talk([asked]);
    const end = channel.ask(asked, never);
    input.write(line({ answer: ['yes', 'own words', 'Yes'] }));
    expect(await end).toEqual({ kind: 'answer', answer: ['Yes', 'own words'] });
  });
});

test.each(['?', ' ?? ', '=?'])(
  'BIND-17 "%s" is never an answer: it shows help, and the question stays open',
  async (typed) => {
    const proposal = 'The agent proposes: if nobody answers within 4 h, use Yes.';
    const asked = question('q1', 'scope', { multi: true, proposal });
    const { channel, input, reports } = talk([asked]);
    const end = channel.ask(asked, never);
    input.write(line({ answer: typed }) + line({ answer: ['Yes', typed] }));
    await turn();
    const help =
      'You can answer with one or more of: Yes, No; your own words; "skip"; "+" to accept: The agent proposes: if nobody answers within 4 h, use Yes.';
    expect(reports).toEqual([help, help]);
    input.write(line({ answer: '+' }));
    expect(await end).toEqual({ kind: 'accept' });
  },
);

test('an offered option is taken literally, even one called "Skip" (BIND-17)', async () => {
  const asked = question('q1', 'scope', { options: ['Skip', 'Yes'] });
  const { channel, input } = talk([asked]);
  const end = channel.ask(asked, never);
  input.write(line({ answer: 'Skip' }));
  expect(await end).toEqual(answer('Skip'));
});

test('after an answer that could not be used, the next question of its type needs its id (BIND-17, PIPE-8)', async () => {
  const [first, second] = [question('q1'), question('q2')];
  const { channel, input, late, refused } = talk([first, second]);
  const failed = channel.ask(first, never);
  input.write(line({ answer: '' }));
  expect(await failed).toMatchObject({ kind: 'failed' });
  const end = channel.ask(second, never);
  input.write(line({ answer: 'corrected' }) + line({ id: 'q2', answer: 'No' }));
  expect(await end).toEqual(answer('No'));
  expect(refused).toEqual([{ why: expect.stringContaining('q1'), written: ['q1', 'q2'] }]);
  input.write(line({ id: 'q1', answer: 'corrected' }));
  await turn();
  expect(late).toEqual([{ id: 'q1', reply: answer('corrected') }]);
});

describe('the question on stdout (PIPE-2, PIPE-10)', () => {
  test('is one line with the five fields and the additional ones, as the schema says', async () => {
    const asked = question('q1', 'scope', {
      question: 'Line one\nline two \u2028 "quoted"?',
      issue: 7,
      severity: 'warning',
      recommended: 'Yes',
    });
    const { channel, input, lines } = talk([asked], 12.5);
    const end = channel.ask(asked, never);
    const sent = lines();
    expect(sent).toHaveLength(1);
    expect(QAQuestion.parse(JSON.parse(sent[0] ?? ''))).toEqual({ ...asked.asked, timeout: 12.5 });
    input.write(line({ answer: 'x' }));
    await end;
  });

  test('the schemas fill in what the protocol leaves out', () => {
    expect(QAQuestion.parse({ question: 'Custom question?' })).toEqual({
      type: 'question',
      gap_type: 'general',
      question: 'Custom question?',
      options: [],
      context: '',
    });
    expect(QAAnswer.parse({ gap_type: 'scope', answer: 'x', more: 1 })).toEqual({
      type: 'answer',
      gap_type: 'scope',
      answer: 'x',
    });
  });
});

describe('whose answer it is (BIND-17, PIPE-8)', () => {
  test('belongs to the question with its id if it has one, whatever the kind', async () => {
    const [first, second] = [question('q1'), question('q2')];
    const { channel, input, late } = talk([first, second], 0.01);
    expect(await channel.ask(first, never)).toMatchObject({ kind: 'failed' });
    const end = channel.ask(second, never);
    input.write(line({ gap_type: 'context', id: 'q1', answer: 'late' }));
    await turn();
    expect(late).toEqual([{ id: 'q1', reply: answer('late') }]);
    expect(await end).toMatchObject({ kind: 'failed', message: 'No answer within 0.01 s.' });
  });

  test('without an id it never belongs to the question after one that timed out', async () => {
    const [first, second, third] = [question('q1'), question('q2'), question('q3', 'context')];
    const { channel, input, late, refused } = talk([first, second, third], 0.05);
    expect(await channel.ask(first, never)).toMatchObject({ kind: 'failed' });
    input.write(line({ answer: 'late' }));
    await turn();
    const next = channel.ask(second, never);
    input.write(line({ answer: 'later' }));
    expect(await next).toMatchObject({ kind: 'failed', message: 'No answer within 0.05 s.' });
    const why = expect.stringContaining('could be for q1');
    expect(refused).toEqual([
      { why, written: ['q1'] },
      { why, written: ['q1', 'q2'] },
    ]);
    const other = channel.ask(third, never);
    input.write(line({ gap_type: 'context', answer: 'of another type' }));
    expect(await other).toEqual(answer('of another type'));
    input.write(line({ id: 'q2', answer: 'by id' }));
    await turn();
    expect(late).toEqual([{ id: 'q2', reply: answer('by id') }]);
  });

  test('without an id it never belongs to the question after one that was settled elsewhere', async () => {
    const [first, second] = [question('q1'), question('q2')];
    const { channel, input, refused } = talk([first, second]);
    const gone = new AbortController();
    const end = channel.ask(first, gone.signal);
    gone.abort();
    expect(await end).toEqual({ kind: 'aborted' });
    const next = channel.ask(second, never);
    input.write(line({ answer: 'for the first' }) + line({ id: 'q2', answer: 'for the second' }));
    expect(await next).toEqual(answer('for the second'));
    expect(refused).toHaveLength(1);
  });

  test('without an id it belongs to the only question of its type that is waiting; once more, to none', async () => {
    const [first, second] = [question('q1', 'context'), question('q2')];
    const { channel, input, refused } = talk([first, second]);
    for (const [each, gap_type] of [
      [first, 'context'],
      [second, 'scope'],
    ] as const) {
      const end = channel.ask(each, never);
      input.write(line({ gap_type, answer: each.asked.id }));
      expect(await end).toEqual(answer(each.asked.id));
    }
    input.write(line({ answer: 'once more' }));
    await turn();
    expect(refused).toEqual([
      { why: expect.stringContaining('no question of type scope'), written: ['q1', 'q2'] },
    ]);
  });

  test('one that came early without an id is refused once a question of its type times out', async () => {
    const [first, second] = [question('q1'), question('q2')];
    const { channel, input, refused } = talk([first, second], 0.02);
    input.write(line({ answer: '?' }) + line({ answer: 'early' }));
    await turn();
    expect(refused).toEqual([]);
    expect(await channel.ask(first, never)).toMatchObject({ kind: 'failed' });
    expect(refused).toEqual([{ why: expect.stringContaining('could be for q1'), written: ['q1'] }]);
    expect(await channel.ask(second, never)).toMatchObject({ kind: 'failed' });
  });

  test('one that came early with its id is kept whatever times out before', async () => {
    const [first, second] = [question('q1'), question('q2')];
    const { channel, input } = talk([first, second], 0.02);
    input.write(line({ id: 'q2', answer: 'first thought' }) + line({ id: 'q2', answer: 'early' }));
    expect(await channel.ask(first, never)).toMatchObject({ kind: 'failed' });
    expect(await channel.ask(second, never)).toEqual(answer('early'));
  });

  test.each([
    ['an answer without an id', line({ gap_type: 'general', answer: 'Yes' })],
    ['no JSON', 'yes please\n'],
    ['no answer', '{"type":"cancel"}\n'],
    ['skip', line({ gap_type: 'general', answer: 'skip' })],
    ['"+"', line({ gap_type: 'general', answer: '+' })],
    ['a wrong id', line({ gap_type: 'general', id: 'Q1', answer: 'Yes' })],
    ['a line of 2 MiB', `${'x'.repeat(2 * 1024 * 1024)}\n`],
  ])('an approval is neither answered nor left by %s', async (_, text) => {
    const asked = approval('q1');
    const { channel, input, refused } = talk([asked, question('q2', 'general')]);
    input.write(text);
    const end = channel.ask(asked, never);
    input.write(text);
    while (refused.length < 2) await turn();
    input.write(line({ id: 'q1', answer: 'No' }));
    expect(await end).toEqual(answer('No'));
  });

  test.each([
    ['another kind', { gap_type: 'context' as const, answer: 'wrong' }],
    ['an unknown id', { id: 'q9', answer: 'wrong' }],
  ])('an answer of %s is reported, goes to no other question, and the wait continues', async (_, wrong) => {
    const [first, second] = [question('q1'), question('q2', 'context')];
    const { channel, input, late, refused } = talk([first, second]);
    const end = channel.ask(first, never);
    input.write(line(wrong));
    await turn();
    expect(refused).toEqual([{ why: expect.any(String), written: ['q1'] }]);
    input.write(line({ answer: 'right' }));
    expect(await end).toEqual(answer('right'));
    const next = channel.ask(second, never);
    input.write(line({ gap_type: 'context', answer: 'also right' }));
    expect(await next).toEqual(answer('also right'));
    expect(late).toEqual([]);
  });

  test('an unusable line counts for the question that waits, so the next one of its type needs its id', async () => {
    const [first, second] = [question('q1'), question('q2')];
    const { channel, input, late, refused } = talk([first, second], 0.05);
    const end = channel.ask(first, never);
    input.write('what?\n');
    expect(await end).toMatchObject({ kind: 'failed', message: expect.stringContaining('not valid JSON') });
    const next = channel.ask(second, never);
    input.write(`and?\n${line({ answer: 'for the first' })}`);
    expect(await next).toMatchObject({ kind: 'failed', message: 'No answer within 0.05 s.' });
    expect(refused).toHaveLength(2);
    input.write(line({ id: 'q1', answer: 'corrected' }));
    await turn();
    expect(late).toEqual([{ id: 'q1', reply: answer('corrected') }]);
  });

  test.each([
    ['another id', { id: 'q2' }],
    ['another type', { gap_type: 'context' }],
  ])('an unusable answer with %s does not count for the question that waits', async (_, named) => {
    const asked = question('q1');
    const { channel, input, refused } = talk([asked]);
    const end = channel.ask(asked, never);
    input.write(
      `${JSON.stringify({ gap_type: 'scope', ...named, answer: 42 })}\n${line({ answer: 'mine' })}`,
    );
    expect(await end).toEqual(answer('mine'));
    expect(refused).toEqual([{ why: expect.stringContaining('is invalid'), written: ['q1'] }]);
  });
});

describe('chunks (PIPE-5)', () => {
  test('answers to all questions may come in one write, before the questions', async () => {
    const questions = [question('q1'), question('q2', 'context'), question('q3'), question('q4', 'general')];
    const { channel, input, reports } = talk(questions);
    input.end(
      line({ answer: '1' }) +
        line({ gap_type: 'context', answer: '2' }) +
        line({ gap_type: 'general', id: 'q4', answer: '4' }) +
        line({ answer: '3' }),
    );
    await turn();
    const ends = [];
    for (const each of questions) ends.push(await channel.ask(each, never));
    expect(ends).toEqual(['1', '2', '3', '4'].map(answer));
    expect(reports).toEqual([]);
  });

  test('may split a line anywhere, even inside a character', async () => {
    const text = 'grün – 東京 🎼';
    const bytes = Buffer.from(line({ answer: text }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 12 }),
        async (cuts) => {
          const asked = question('q1');
          const { channel, input } = talk([asked]);
          const end = channel.ask(asked, never);
          let from = 0;
          for (const cut of [...cuts.sort((a, b) => a - b), bytes.length]) {
            input.write(bytes.subarray(from, cut));
            from = cut;
          }
          expect(await end).toEqual(answer(text));
          channel.close();
        },
      ),
      { numRuns: 50 },
    );
  });

  test('half a line does not delay the deadline', async () => {
    const asked = question('q1');
    const { channel, input } = talk([asked], 0.05);
    const end = channel.ask(asked, never);
    input.write('{"type":"answer",');
    expect(await end).toEqual({ kind: 'failed', message: 'No answer within 0.05 s.' });
  });
});

describe('the end of the pipe (PIPE-7, PIPE-9)', () => {
  test('after the end of input it neither waits nor sends anything', async () => {
    const [first, second] = [question('q1'), question('q2')];
    const { channel, input, lines } = talk([first, second]);
    const end = channel.ask(first, never);
    input.end();
    expect(await end).toMatchObject({ kind: 'failed', message: expect.stringContaining('closed') });
    expect(lines()).toHaveLength(1);
    expect(await channel.ask(second, never)).toMatchObject({ kind: 'failed' });
    expect(lines()).toHaveLength(0);
  });

  test('an answer without a final newline counts', async () => {
    const asked = question('q1');
    const { channel, input } = talk([asked]);
    const end = channel.ask(asked, never);
    input.end(line({ answer: 'last words' }).trimEnd());
    expect(await end).toEqual(answer('last words'));
  });

  test('a line over 1 MiB is refused, and the next one is read', async () => {
    const [first, second] = [question('q1'), question('q2')];
    const { channel, input } = talk([first, second]);
    const end = channel.ask(first, never);
    const part = Buffer.alloc(64 * 1024, 'x');
    for (let i = 0; i < 20; i++) input.write(part);
    input.write('\n');
    expect(await end).toMatchObject({ kind: 'failed', message: expect.stringMatching(/1310720 bytes/) });
    const next = channel.ask(second, never);
    input.write(line({ id: 'q2', answer: 'short' }));
    expect(await next).toEqual(answer('short'));
  });

  test('half a line left at the close is not an answer', async () => {
    const asked = question('q1');
    const { channel, input, late, reports } = talk([asked], 0.01);
    await channel.ask(asked, never);
    input.write(line({ answer: 'too late' }).trimEnd());
    await turn();
    channel.close();
    await turn();
    expect([late, reports]).toEqual([[], []]);
  });

  test('a parent that stops reading ends it', async () => {
    const asked = question('q1');
    const { channel, output } = talk([asked]);
    const end = channel.ask(asked, never);
    output.emit('error', new Error('EPIPE'));
    expect(await end).toMatchObject({ kind: 'failed', message: expect.stringContaining('no longer reads') });
  });
});
