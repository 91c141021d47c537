import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Command, decide, isFinal } from '../../src/ledger/notifications/notification-machine.ts';
import type { By } from '../../src/schema/actor.ts';
import { FermataError } from '../../src/schema/error.ts';
import type { Notification, ResponseInput } from '../../src/schema/notification.ts';
import { isLong } from '../support/long.ts';

const people: By[] = ['ann', 'bob'].map((name) => ({ actor: { kind: 'person', name }, channel: 'web' }));
const agent: By = { actor: { kind: 'agent', name: 'coder' }, channel: 'agent' };
const time = fc
  .integer({ min: 0, max: 50 })
  .map((s) => new Date(Date.UTC(2026, 0, 1, 0, 0, s)).toISOString());
const by = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...people) },
  { weight: 1, arbitrary: fc.constant(agent) },
);
const word = fc.constantFrom('Yes', 'No', 'a', ' Yes ', '');
const questionId = fc.constantFrom('q1', 'q2', 'q3');

const response: fc.Arbitrary<ResponseInput> = fc.oneof(
  fc.record({ questionId, answer: fc.oneof(word, fc.array(word, { minLength: 1, maxLength: 3 })) }),
  fc.record({ questionId, skipped: fc.constant(true as const) }),
  fc.record({ questionId, dismissed: fc.constant(true as const), reason: fc.constant('no') }),
);
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('resolve' as const),
      by,
      at: time,
      input: fc.record({ responses: fc.array(response, { minLength: 1, maxLength: 3 }) }),
    }),
  },
  fc.record({
    kind: fc.constant('resolve' as const),
    by,
    at: time,
    input: fc.record({ approved: fc.boolean() }),
  }),
  fc.record({
    kind: fc.constant('resolve' as const),
    by,
    at: time,
    input: fc.constant({ dismissed: true as const, reason: 'no' }),
  }),
  fc.record({ kind: fc.constant('withdraw' as const), by, at: time, reason: fc.constant('gone') }),
  fc.record({
    kind: fc.constant('supersede' as const),
    by,
    at: time,
    reason: fc.constant('better'),
    supersededBy: fc.constant('n-2'),
  }),
  fc.record({ kind: fc.constant('deadline' as const), at: time }),
  fc.record({ kind: fc.constant('deliver' as const), at: time }),
);
const policy = fc.constantFrom<Notification['policy']>(
  { kind: 'wait' },
  { kind: 'remind', after: 5 },
  { kind: 'skip', after: 5 },
  { kind: 'fail', after: 5 },
  { kind: 'default', after: 5, answers: { q1: 'Yes', q2: 'No', q3: 'Yes' } },
);
const start: fc.Arbitrary<Notification> = fc
  .record({
    count: fc.integer({ min: 1, max: 3 }),
    multi: fc.boolean(),
    approval: fc.boolean(),
    policy,
    notice: fc.boolean(),
  })
  .map(({ count, multi, approval, policy: given, notice }) => ({
    id: 'n-1',
    projectId: 'p',
    source: approval ? 'approval' : 'plan',
    sourceId: 's',
    kind: notice && count === 3 ? 'notice' : approval ? 'approval' : 'question',
    holds: {},
    status: notice && count === 3 ? 'recorded' : 'open',
    questions: Array.from({ length: count }, (_, n) => ({
      id: `q${n + 1}`,
      text: 'A?',
      createdAt: '2026-01-01T00:00:00.000Z',
      options: approval
        ? [
            { id: 'approve', label: 'Yes' },
            { id: 'reject', label: 'No' },
          ]
        : [{ id: 'a', label: 'Yes' }, { label: 'No' }],
      ...(multi && !approval ? { multi } : {}),
    })),
    responses: [],
    policy: given,
    ...(given.kind === 'wait' ? {} : { deadlineAt: '2026-01-01T00:00:20.000Z' }),
    createdAt: '2026-01-01T00:00:00.000Z',
    createdBy: agent,
  }));

/** The next state, or the same one for a repeat or a refusal; any error but Fermata's own fails. */
function step(current: Notification, given: Command): { next: Notification; accepted: boolean } {
  try {
    const transition = decide(frozen(current), frozen(given));
    return transition.kind === 'changed'
      ? { next: transition.next, accepted: true }
      : { next: current, accepted: false };
  } catch (error) {
    expect(error).toBeInstanceOf(FermataError);
    return { next: current, accepted: false };
  }
}

describe('the life of a notification, under any commands', () => {
  it('LED-3 LED-4 never goes back, never changes an answer, and always says how it ended', () => {
    fc.assert(
      fc.property(start, fc.array(command, { maxLength: 12, size: 'max' }), (first, commands) => {
        let current = first;
        for (const given of commands) {
          const { next, accepted } = step(current, given);
          if (accepted) moved(current, next, given);
          consistent(next);
          if (accepted && given.kind === 'resolve') expect(decide(next, given)).toEqual({ kind: 'repeat' });
          current = next;
        }
      }),
      { numRuns: isLong ? 10_000 : 300 },
    );
  });
});

function moved(before: Notification, after: Notification, given: Command): void {
  if (isFinal(before.status)) {
    expect([before.status, after.status]).not.toContain('recorded');
    expect(given.kind).toBe('deliver');
    expect(after.status).toBe('delivered');
    expect(after).toEqual({ ...before, status: 'delivered', deliveredAt: given.at });
    return;
  }
  expect(after.responses.slice(0, before.responses.length)).toEqual(before.responses);
  expect(after.questions).toEqual(before.questions);
  if (given.kind === 'resolve') expect(given.by.actor.kind).toBe('person');
  if (given.kind === 'deadline') {
    expect(before.policy.kind).not.toBe('wait');
    expect(given.at >= (before.deadlineAt ?? '')).toBe(true);
    for (const added of after.responses.slice(before.responses.length)) {
      expect(added.by.actor).toEqual({ kind: 'policy', name: before.policy.kind });
    }
  }
}

function consistent(n: Notification): void {
  const answered = n.responses.map((r) => r.questionId);
  expect(new Set(answered).size).toBe(answered.length);
  const complete = n.questions.every((q) => answered.includes(q.id));
  const kinds = n.responses.map((r) => r.kind);
  if (n.status === 'open' || n.status === 'recorded') {
    expect(n.outcome).toBeUndefined();
    expect(n.resolvedAt).toBeUndefined();
    expect(complete).toBe(false);
    return;
  }
  expect(n.resolvedBy).toBeDefined();
  if (n.status !== 'delivered') expect(n.outcome).toBe(n.status);
  switch (n.outcome) {
    case 'answered':
      expect(complete && kinds.includes('answered')).toBe(true);
      break;
    case 'skipped':
      expect(complete && kinds.every((kind) => kind === 'skipped')).toBe(true);
      break;
    case 'declined':
      expect(complete && kinds.includes('dismissed')).toBe(true);
      break;
    case 'expired':
      expect(n.policy.kind).toBe('fail');
      break;
    case 'withdrawn':
    case 'superseded':
      expect(n.reason).toBeDefined();
      expect(n.supersededBy !== undefined).toBe(n.outcome === 'superseded');
      break;
    default:
      expect.unreachable(`no outcome in ${n.status}`);
  }
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) frozen(inner);
  }
  return value;
}
