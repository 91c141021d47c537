import { describe, expect, test } from 'vitest';
import { nextMove, type PastRun } from '../../../src/work/run/next-move.ts';

const run = (more: Partial<PastRun> = {}): PastRun => ({
  id: 'r-1',
  purpose: 'work',
  status: 'ended',
  reason: 'ok',
  message: 'Done.',
  answer: 'result',
  asked: 'not_yet',
  life: 'life-1',
  ...more,
});
const crashed = run({ reason: 'crashed', message: 'It was killed.', answer: 'unreadable' });

describe('RUN-2 what to do next for a task', () => {
  test.each<[string, PastRun[], ReturnType<typeof nextMove>]>([
    ['nobody was sent', [], { kind: 'start', purpose: 'work' }],
    ['one waits', [run({ status: 'waiting', reason: undefined })], { kind: 'resume', run: 'r-1' }],
    ['one is done', [run()], { kind: 'verify' }],
    ['one is done, but left a question open', [run({ undelivered: 'open' })], { kind: 'wait' }],
    [
      'one is done, but has not heard its answer',
      [run({ undelivered: 'answered', purpose: 'fix', findings: 'tests fail' })],
      { kind: 'start', purpose: 'fix', findings: 'tests fail' },
    ],
    ['its questions were not asked yet', [run({ answer: 'questions' })], { kind: 'ask', run: 'r-1' }],
    ['its questions are open', [run({ answer: 'questions', asked: 'open' })], { kind: 'wait' }],
    [
      'its questions are answered',
      [run({ answer: 'questions', asked: 'settled', purpose: 'fix' })],
      { kind: 'start', purpose: 'fix', continues: 'life-1' },
    ],
    [
      'it crashed at what a gate had found',
      [run({ ...crashed, purpose: 'fix', findings: 'tests fail' })],
      { kind: 'start', purpose: 'fix', findings: 'tests fail', failure: 'It was killed.' },
    ],
    [
      'somebody killed it three times, which is no attempt',
      [
        { ...crashed, isFault: true },
        { ...crashed, isFault: true },
        { ...crashed, isFault: true },
      ],
      { kind: 'start', purpose: 'work' },
    ],
    [
      'it crashed once before somebody killed it, and once after',
      [crashed, { ...crashed, isFault: true }, crashed],
      { kind: 'give_up', reason: 'It was killed.' },
    ],
    ['it crashed once', [crashed], { kind: 'start', purpose: 'work', failure: 'It was killed.' }],
    ['it crashed twice', [crashed, crashed], { kind: 'give_up', reason: 'It was killed.' }],
    [
      'it crashed, asked, crashed',
      [crashed, run({ answer: 'questions', asked: 'settled' }), crashed],
      { kind: 'start', purpose: 'work', failure: 'It was killed.' },
    ],
    [
      'it gave no result twice',
      [run({ answer: 'unreadable', message: 'No JSON.' }), run({ answer: 'unreadable' })],
      { kind: 'give_up', reason: 'The agent ended without a readable result: No JSON.' },
    ],
    [
      'it failed twice',
      [run({ answer: 'failed', message: 'no way' }), crashed],
      { kind: 'give_up', reason: 'The agent reported a failure: no way' },
    ],
  ])('where %s', (_, runs, move) => expect(nextMove(runs)).toEqual(move));
});
