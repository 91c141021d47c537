import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideTask, type TaskCommand, type TaskState } from '../../src/ledger/tasks/task-machine.ts';
import { FermataError } from '../../src/schema/error.ts';
import { isLong } from '../support/long.ts';

const now = fc.integer({ min: 0, max: 100 });
const count = fc.integer({ min: 0, max: 2 });
const fence = fc.integer({ min: 0, max: 6 });
const maybe = fc.option(fence, { nil: undefined });
const kind = <K extends TaskCommand['kind']>(name: K) => fc.constant(name);

const command: fc.Arbitrary<TaskCommand> = fc.oneof(
  fc.record({
    kind: kind('claim'),
    worker: fc.constantFrom('w1', 'w2'),
    agent: fc.constantFrom(null, 'a1'),
    now,
    leaseUntil: now,
    unfinished: fc.constantFrom(0, 0, 0, 1),
  }),
  fc.record({ kind: kind('heartbeat'), fence, leaseUntil: now }),
  fc.record({ kind: kind('release'), fence }),
  fc.record({ kind: kind('reclaim'), now, dead: fc.constantFrom(undefined, 'w1') }),
  fc.record({ kind: kind('ask'), fence: maybe, keep: fc.boolean() }),
  fc.record({ kind: kind('answered'), openQuestions: count, now }),
  fc.record({ kind: kind('expired') }),
  fc.record({ kind: kind('block'), reason: fc.constant('Legal'), fence: maybe }),
  fc.record({ kind: kind('unblock'), openQuestions: count }),
  fc.record({ kind: kind('close'), fence: maybe }),
  fc.record({ kind: kind('finish') }),
  fc.record({ kind: kind('reopen'), openQuestions: count }),
);
const fresh: TaskState = {
  id: 'T1',
  status: 'open',
  assignee: null,
  blockReason: null,
  fence: 0,
  leaseUntil: null,
  keptFor: null,
  claimedBy: null,
  paused: false,
};

describe('the life of a task, under any commands', () => {
  it('LED-6 LED-7 LED-8 its fence never decreases, and its fields are always consistent', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 30, size: 'max' }), (commands) => {
        let task = fresh;
        for (const given of commands) {
          const next = step(task, given);
          if (next) {
            lawful(task, next, given);
            task = next;
          }
          agree(task);
        }
      }),
      { numRuns: isLong ? 10_000 : 300 },
    );
  });
});

/** Null if nothing changes. A refusal must be one of Fermata's own errors. */
function step(task: TaskState, given: TaskCommand): TaskState | null {
  const stale = 'fence' in given && given.fence !== undefined && given.fence !== task.fence;
  try {
    const next = decideTask(Object.freeze({ ...task }), given);
    expect(stale, 'an old number was accepted').toBe(false);
    return next;
  } catch (error) {
    if (!(error instanceof FermataError)) throw error;
    if (stale) expect(error.code).toBe('stale');
    return null;
  }
}

function lawful(before: TaskState, after: TaskState, given: TaskCommand): void {
  expect(after.fence).toBeGreaterThanOrEqual(before.fence);
  switch (given.kind) {
    case 'claim':
      expect(after.fence).toBeGreaterThan(before.fence);
      expect(given.unfinished).toBe(0);
      if (before.status !== 'open') expect(before.leaseUntil ?? Number.NaN).toBeLessThanOrEqual(given.now);
      break;
    case 'reclaim':
      if (before.assignee !== given.dead)
        expect(before.leaseUntil ?? Number.NaN).toBeLessThanOrEqual(given.now);
      expect(after.fence).toBeGreaterThan(before.fence);
      break;
    case 'heartbeat':
    case 'release':
      expect(before.status === 'in_progress' || before.keptFor !== null).toBe(true);
      expect(after.assignee === null || after.assignee === before.assignee).toBe(true);
      break;
    case 'ask':
      expect(after).toMatchObject({ status: 'blocked', blockReason: 'Open Question' });
      break;
    case 'answered':
      expect(before.blockReason).toBe('Open Question');
      expect(given.openQuestions).toBe(0);
      expect(after.fence).toBe(before.fence);
      expect(after.assignee).toBe((before.leaseUntil ?? Number.NaN) > given.now ? before.keptFor : null);
      break;
    case 'expired':
      expect(before.blockReason).toBe('Open Question');
      expect(after.blockReason).not.toBe('Open Question');
      break;
    case 'block':
    case 'close':
      expect(after.fence).toBeGreaterThan(before.fence);
      break;
    case 'unblock':
    case 'reopen':
      expect(after.status).toBe(given.openQuestions > 0 ? 'blocked' : 'open');
      break;
  }
}

function agree(task: TaskState): void {
  const held = task.status === 'in_progress';
  expect(task.assignee !== null).toBe(held);
  expect(task.leaseUntil !== null).toBe(held || task.keptFor !== null);
  if (task.keptFor !== null) expect(task.status).toBe('blocked');
  expect(task.blockReason !== null).toBe(task.status === 'blocked');
}
