import { expect, test } from 'vitest';
import { effectOf } from '../../src/ledger/notifications/amendment-effect.ts';
import type { Notification } from '../../src/schema/notification.ts';

const by = { actor: { kind: 'person' as const, name: 'ann' }, channel: 'web' as const };
const now = '2026-02-01T10:00:00.000Z';

function amended(given: Partial<Notification> = {}, answer = 'blue'): Notification {
  return {
    id: 'n-1',
    projectId: 'p',
    source: 'execute',
    sourceId: 'shop/1',
    kind: 'question',
    holds: { task: 'shop/1' },
    status: 'answered',
    outcome: 'answered',
    questions: [{ id: 'q1', text: 'Which?', createdAt: now }],
    responses: [{ kind: 'answered', questionId: 'q1', answer, by, at: now, version: 2 }],
    policy: { kind: 'wait' },
    createdAt: now,
    createdBy: by,
    deliveredAt: now,
    ...given,
  };
}
const alive = { status: 'running' as const, leaseUntil: '2026-02-01T10:00:10.000Z' };
const dead = { ...alive, leaseUntil: '2026-02-01T09:00:00.000Z' };
const working = { status: 'in_progress' as const };
const closed = { status: 'closed' as const };

test.each([
  ['not_delivered', amended({ deliveredAt: undefined }), working, alive, 'only the new one applies'],
  ['next_turn', amended(), working, alive, 'gets the new one in its next turn'],
  ['on_resume', amended(), working, dead, 'when task shop/1 resumes: fermata run --resume'],
  ['on_resume', amended(), undefined, { ...dead, status: 'waiting' as const }, 'when its run resumes'],
  ['rework', amended(), closed, undefined, 'fermata tasks reopen shop/1, then fermata run'],
  ['asker_gone', amended(), undefined, undefined, 'The new answer applies the next time'],
  ['not_undone', amended({ kind: 'gate' }), closed, undefined, 'such as a merge. To rework it:'],
  ['not_undone', amended({ kind: 'approval' }, 'Reject'), working, alive, 'cannot undo what it did'],
  ['not_undone', amended({ kind: 'approval' }, 'Approve'), working, alive, 'It has to ask again'],
  [
    'not_undone',
    amended({ resume: { agent: 'claude', elicitation: true } }),
    working,
    alive,
    'The MCP server that asked has the old answer',
  ],
])('an amended answer leads to %s (BIND-5)', (kind, notification, task, run, words) => {
  const effect = effectOf(notification, task, run, now);
  expect(effect.kind).toBe(kind);
  expect(effect.message).toContain(words);
});
