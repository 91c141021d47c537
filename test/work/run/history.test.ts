import { describe, expect, test } from 'vitest';
import type { Notification } from '../../../src/schema/notification.ts';
import type { PhaseRecord } from '../../../src/schema/phase-record.ts';
import type { Run, RunJudgement } from '../../../src/schema/run.ts';
import { historyOfAnswer, historyOfTask } from '../../../src/work/run/history.ts';

const RESULT = '{"status":"success","summary":"Done."}';
const minute = (at: number) => `2026-01-01T10:${String(at).padStart(2, '0')}:00.000Z`;

/** A run that began at minute `at`, and ended with `end`, if given. */
function run(
  at: number,
  end?: Partial<NonNullable<Run['end']>>,
  data: object = { for: 'task', purpose: 'work' },
) {
  const ended = end && { reason: 'ok', message: 'It ended.', text: RESULT, ...end };
  return {
    ...{ id: `r${at}`, startedAt: minute(at), data, status: ended ? 'ended' : 'running', end: ended ?? null },
  } as Run;
}

const asked = (by: string, status: string, more: object = {}) =>
  ({ kind: 'question', status, holds: {}, resume: { agent: 'a', run: by }, ...more }) as Notification;
const byCommand = (of: string, status: string) =>
  asked('', status, { holds: { run: of }, resume: undefined });
const record = (kind: string, at: number) => ({ kind, at: minute(at) }) as PhaseRecord;
const outcomes = ({ past }: { past: { outcome: { kind: string } }[] }) =>
  past.map(({ outcome }) => outcome.kind);

describe('RUN-2 the history of a phase or task', () => {
  test.each<[string, Run, object]>([
    ['is at work', run(1), { kind: 'unfinished' }],
    ['gave a result', run(1, {}), { kind: 'answer' }],
    [
      'gave questions that are not asked yet',
      run(1, { text: '{"open_questions":["Which?"]}' }),
      { kind: 'answer' },
    ],
    [
      'reported a failure',
      run(1, { text: '{"status":"failed","summary":"no way"}' }),
      { kind: 'failed', reason: 'The agent reported a failure: no way' },
    ],
    [
      'gave no result',
      run(1, { text: 'Hello.\nBye.' }),
      { kind: 'failed', reason: expect.stringContaining('It last said: "Bye."') },
    ],
    [
      'crashed by itself',
      run(1, { reason: 'crashed', text: '', signal: 'SIGSEGV' }),
      { kind: 'failed', reason: 'It ended.' },
    ],
    ['was killed from outside', run(1, { reason: 'crashed', signal: 'SIGKILL' }), { kind: 'fault' }],
    ['has no program', run(1, { reason: 'missing', text: '' }), { kind: 'fault' }],
  ])('an agent that %s', (_, only, outcome) => {
    expect(historyOfTask([only], [], []).past[0]?.outcome).toEqual(outcome);
  });

  test.each<[string, Notification[], object]>([
    [
      'questions of its answer are open',
      [asked('r1', 'open')],
      { open: 1, isUninformed: false, kind: 'asked' },
    ],
    ['they are answered', [asked('r1', 'answered')], { open: 0, isUninformed: false, kind: 'asked' }],
    [
      'a question of its command is open',
      [byCommand('r1', 'open')],
      { open: 1, isUninformed: false, kind: 'answer' },
    ],
    [
      'its command has its answer',
      [byCommand('r1', 'delivered')],
      { open: 0, isUninformed: false, kind: 'answer' },
    ],
    [
      'its command was not there any more',
      [byCommand('r1', 'answered')],
      { open: 0, isUninformed: true, kind: 'answer' },
    ],
    [
      'its tool asked, which concerns only its process',
      [asked('r1', 'open', { resume: { agent: 'a', run: 'r1', toolCallId: 't' } })],
      { open: 0, isUninformed: false, kind: 'answer' },
    ],
    [
      'an answer was amended',
      [asked('r0', 'answered', { deliveredAt: minute(0) })],
      { open: 0, isUninformed: true, kind: 'answer' },
    ],
  ])('when %s', (_, notifications, expected) => {
    const history = historyOfTask([run(1, {})], notifications, []);
    const { open, isUninformed } = history;
    expect({ open: open.length, isUninformed, kind: outcomes(history)[0] }).toEqual(expected);
  });

  test.each<[string, PhaseRecord[], string[]]>([
    ['nothing happened between', [], ['r5', 'r3', 'r1']],
    ['it failed for good', [record('failed', 4)], ['r5', 'r1']],
    ['it was reopened after its merge', [record('merge', 3), record('reopened', 4)], ['r5', 'r1']],
    ['it was reopened before any merge', [record('reopened', 4), record('merge', 6)], ['r5', 'r3', 'r1']],
  ])('runs that count when %s: later ones, and those that can be resumed', (_, records, ids) => {
    const runs = [run(5, {}), run(3, {}), run(1)];
    expect(historyOfTask(runs, [], records).past.map((each) => each.run.id)).toEqual(ids);
  });

  test('what was sent back is counted by the agents that were started for it', () => {
    const fixing = { for: 'task', purpose: 'fix', findings: 'tests fail' };
    const reviewed = { for: 'task', purpose: 'review', findings: 'rename it' };
    const history = historyOfTask([run(3, {}, reviewed), run(2, {}, fixing), run(1, {})], [], []);
    expect(history.sentBack.map(({ purpose, findings }) => [purpose, findings])).toEqual([
      ['fix', 'tests fail'],
      ['review', 'rename it'],
    ]);
  });
});

describe('LED-9 the history of an answer', () => {
  const mine = { for: 'answer', about: 'x' } as const;
  const judged = (at: number, judgement?: RunJudgement, data: object = mine) =>
    run(at, { text: `answer ${at}` }, { ...data, judgement });
  const sentBack = (at: number) => judged(at, { kind: 'sent_back', findings: `wrong ${at}` });

  test('runs count until one is accepted or given up, and only those for this work', () => {
    const other = { for: 'answer', about: 'y' };
    const runs = [
      judged(6),
      judged(5, undefined, other),
      sentBack(4),
      judged(3, { kind: 'given_up', findings: 'x' }),
    ];
    const history = historyOfAnswer(mine, [...runs, judged(2), judged(1, { kind: 'accepted' })], []);
    expect(history.past.map((each) => each.run.id)).toEqual(['r6', 'r4']);
    expect(outcomes(history)).toEqual(['answer', 'sent_back']);
    expect(history.sentBack).toEqual([{ text: 'answer 4', purpose: 'fix', findings: 'wrong 4' }]);
  });

  test('what was asked counts until an answer is accepted, even what was given up', () => {
    const runs = [judged(3), judged(2, { kind: 'given_up', findings: 'x' }), judged(1, { kind: 'accepted' })];
    const notifications = [
      asked('r1', 'open'),
      asked('r2', 'open'),
      asked('r2', 'recorded'),
      asked('r3', 'delivered'),
    ];
    const history = historyOfAnswer(mine, runs, notifications);
    expect(history.asked.map(({ resume }) => resume?.run)).toEqual(['r2', 'r3']);
    expect(history.open).toHaveLength(1);
  });

  test('a question is not a failure: what was sent back before it does not count any more', () => {
    const history = historyOfAnswer(mine, [sentBack(3), judged(2), sentBack(1)], [asked('r2', 'answered')]);
    expect(outcomes(history)).toEqual(['sent_back', 'asked', 'sent_back']);
    expect(history.sentBack.map(({ findings }) => findings)).toEqual(['wrong 3']);
  });

  test('CONV-6 silence is no answer, nor is what an agent said before it failed', () => {
    const runs = [run(2, { text: ' \n' }, mine), run(1, { reason: 'failed', text: 'a plan' }, mine)];
    expect(outcomes(historyOfAnswer(mine, runs, []))).toEqual(['failed', 'failed']);
  });
});
