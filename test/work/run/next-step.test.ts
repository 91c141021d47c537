import { describe, expect, test } from 'vitest';
import type { Notification } from '../../../src/schema/notification.ts';
import type { Run } from '../../../src/schema/run.ts';
import type { PastRun } from '../../../src/work/run/history.ts';
import { nextStep, type Step } from '../../../src/work/run/next-step.ts';

const run = { id: 'r-1', data: { for: 'other', life: 'life-1' } } as unknown as Run;
const past = (outcome: PastRun['outcome'], more: Partial<PastRun> = {}): PastRun => ({
  run,
  purpose: 'work',
  outcome,
  ...more,
});
const said = { ...run, status: 'said' } as Run;
const failed = past({ kind: 'failed', reason: 'It crashed.' });
const fault = past({ kind: 'fault' });
const answer = past({ kind: 'answer' });
const asked = past({ kind: 'asked' });
const unfinished = past({ kind: 'unfinished' });
const fixing = { purpose: 'fix', findings: 'tests fail' } as const;
const open = [{ id: 'n1' } as Notification];

describe('RUN-2 LED-9 what comes next', () => {
  test.each<[string, PastRun[], Step]>([
    ['nothing was begun', [], { kind: 'start', purpose: 'work' }],
    ['an agent was killed at work, or waits', [unfinished], { kind: 'resume', run }],
    [
      'an agent ended and its work is not safe yet',
      [{ ...unfinished, run: said }],
      { kind: 'keep', run: said },
    ],
    ['an answer was given that nobody judged', [answer], { kind: 'judge', last: answer }],
    [
      'the questions of an answer are answered',
      [past({ kind: 'asked' }, fixing)],
      { kind: 'start', ...fixing, continues: 'life-1' },
    ],
    ['the next agent has answered', [answer, asked], { kind: 'judge', last: answer }],
    ['an answer was sent back', [past({ kind: 'sent_back' })], { kind: 'start', purpose: 'work' }],
    ['an agent failed', [failed], { kind: 'start', purpose: 'work', failure: 'It crashed.' }],
    [
      'an agent failed at what a gate had found',
      [past(failed.outcome, fixing)],
      { kind: 'start', ...fixing, failure: 'It crashed.' },
    ],
    ['agents failed twice in a row', [failed, failed], { kind: 'give_up', run, failure: 'It crashed.' }],
    [
      'agents failed before and after questions',
      [failed, asked, failed],
      { kind: 'start', purpose: 'work', failure: 'It crashed.' },
    ],
    [
      'somebody killed agents, which is no attempt',
      [fault, fault, fault],
      { kind: 'start', purpose: 'work' },
    ],
    [
      'agents failed before and after somebody killed one',
      [failed, fault, failed],
      { kind: 'give_up', run, failure: 'It crashed.' },
    ],
  ])('when %s', (_, runs, step) => {
    const history = { past: runs, open: [], isUninformed: false };
    expect(nextStep(history, { asksPeople: true, retries: 1 })).toEqual(step);
  });

  test('an agent that has not heard the answer to its question is not done', () => {
    const history = { past: [past({ kind: 'answer' }, fixing)], open: [], isUninformed: true };
    expect(nextStep(history, { asksPeople: true })).toEqual({ kind: 'start', ...fixing });
  });

  test.each([unfinished, answer, asked])('it waits for an open question, if people are asked', (last) => {
    const history = { past: [last], open, isUninformed: false };
    expect(nextStep(history, { asksPeople: true })).toEqual({ kind: 'wait', run, open });
    expect(nextStep(history, { asksPeople: false }).kind).not.toBe('wait');
  });

  test('without a limit, another process tries again however often agents failed', () => {
    const history = { past: [failed, failed, failed], open: [], isUninformed: false };
    expect(nextStep(history, { asksPeople: true }).kind).toBe('start');
  });
});
