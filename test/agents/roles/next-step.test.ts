import { describe, expect, it } from 'vitest';
import { nextStep } from '../../../src/agents/roles/next-step.ts';
import type { Notification } from '../../../src/schema/notification.ts';
import type { Run } from '../../../src/schema/run.ts';

const run = (id: string, status: Run['status'], reason?: string) =>
  ({ id, status, end: reason ? { reason } : null }) as Run;
const asked = (of: string, status: Notification['status'], toolCallId?: string) =>
  ({ status, resume: { agent: 'a', run: of, toolCallId } }) as Notification;

describe('where a consultation stands', () => {
  it.each([
    ['nothing was begun', [], [], 'start'],
    ['an agent was killed at work', [run('r1', 'running')], [], 'resume'],
    ['an agent waits for an answer', [run('r1', 'waiting')], [asked('r1', 'open', 't1')], 'waiting'],
    ['an agent was answered', [run('r1', 'waiting')], [asked('r1', 'answered', 't1')], 'resume'],
    ['an answer was given that nobody used', [run('r1', 'ended', 'ok')], [], 'read'],
    [
      'the same, after questions by a tool',
      [run('r1', 'ended', 'ok')],
      [asked('r1', 'delivered', 't1')],
      'read',
    ],
    ['an answer was questions', [run('r1', 'ended', 'ok')], [asked('r1', 'open')], 'waiting'],
    ['they were answered', [run('r1', 'ended', 'ok')], [asked('r1', 'answered')], 'start'],
    [
      'the next agent has answered',
      [run('r2', 'ended', 'ok'), run('r1', 'ended', 'ok')],
      [asked('r1', 'delivered')],
      'read',
    ],
    ['an agent failed', [run('r1', 'ended', 'crashed')], [], 'start'],
  ])('LED-9 when %s', (_, runs, notifications, kind) => {
    expect(nextStep(runs, notifications).kind).toBe(kind);
  });
});
