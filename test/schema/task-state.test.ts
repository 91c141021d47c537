import { describe, expect, test } from 'vitest';
import type { NotificationKind } from '../../src/schema/notification.ts';
import { jointState, stateOf, waitsFor } from '../../src/schema/task-state.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const LATER = '2026-11-20T12:01:00Z';
const EARLIER = '2026-11-20T11:59:00Z';
const task = { status: 'open', blockReason: null, paused: false, fence: 0, leaseUntil: null } as const;
const asks = (kind: NotificationKind) => [{ kind }];

describe('INB-8 the words for the state of a task', () => {
  test.each([
    ['not started', {}, []],
    ['stopped', { fence: 2 }, []],
    ['paused', { fence: 2, paused: true }, []],
    ['working', { status: 'in_progress', leaseUntil: LATER }, []],
    ['stopped', { status: 'in_progress', leaseUntil: EARLIER }, []],
    ['waiting for you', { status: 'in_progress', leaseUntil: LATER }, asks('permission')],
    ['working', { status: 'in_progress', leaseUntil: LATER }, asks('notice')],
    ['waiting for a gate', { fence: 1 }, asks('gate')],
    ['waiting for you', { status: 'blocked', blockReason: 'Open Question' }, []],
    ['failed', { status: 'blocked', blockReason: 'Failed: no' }, []],
    ['blocked', { status: 'blocked', blockReason: 'waits for the customer' }, []],
    ['stopped', { status: 'blocked', blockReason: 'Withdrawn' }, []],
    ['done', { status: 'closed' }, asks('gate')],
  ] as const)('%s: %j %j', (state, stored, asked) => {
    expect(stateOf({ ...task, ...stored }, asked, NOW)).toBe(state);
  });

  test('of several variants, the one that matters most to a person counts', () => {
    expect(jointState(['done', 'working', 'waiting for you'])).toBe('waiting for you');
    expect(jointState(['done', 'done'])).toBe('done');
    expect(jointState([])).toBe('not started');
  });

  test('all variants wait for their gate', () => {
    const gate = { kind: 'variants', phase: '3', round: 0, file: 'x' } as never;
    expect(waitsFor('shop/3-A', { holds: {}, sourceId: 'shop/3', gate })).toBe(true);
    expect(waitsFor('shop/4', { holds: {}, sourceId: 'shop/3', gate })).toBe(false);
    expect(waitsFor('shop/4', { holds: { task: 'shop/4' }, sourceId: 'x' })).toBe(true);
  });
});
