import { describe, expect, it } from 'vitest';
import { nextStep } from '../../src/assignments/next-step.ts';
import type { Notification } from '../../src/schema/notification.ts';
import type { Run } from '../../src/schema/run.ts';

const run = (id: string, status: Run['status'], reason?: string, data = {}) =>
  ({ id, status, end: reason ? { reason, text: 'so' } : null, data }) as Run;
const asked = (of: string, status: Notification['status'], toolCallId?: string) =>
  ({ status, resume: { agent: 'a', run: of, toolCallId } }) as Notification;

describe('what comes next in an assignment', () => {
  it.each([
    ['nothing was begun', [], [], 'start'],
    ['an agent was killed at work', [run('r1', 'running')], [], 'resume'],
    ['an agent waits for an answer', [run('r1', 'waiting')], [asked('r1', 'open', 't1')], 'wait'],
    ['an agent was answered', [run('r1', 'waiting')], [asked('r1', 'answered', 't1')], 'resume'],
    ['an answer was given that nobody used', [run('r1', 'ended', 'ok')], [], 'judge'],
    [
      'the same, after questions by a tool',
      [run('r1', 'ended', 'ok')],
      [asked('r1', 'delivered', 't1')],
      'judge',
    ],
    ['an answer was questions', [run('r1', 'ended', 'ok')], [asked('r1', 'open')], 'wait'],
    ['they were answered', [run('r1', 'ended', 'ok')], [asked('r1', 'answered')], 'start'],
    [
      'the next agent has answered',
      [run('r2', 'ended', 'ok'), run('r1', 'ended', 'ok')],
      [asked('r1', 'delivered')],
      'judge',
    ],
    ['an agent failed', [run('r1', 'ended', 'crashed')], [], 'start'],
    [
      'an answer was sent back',
      [run('r1', 'ended', 'ok', { judgement: { kind: 'sent_back', findings: 'x' } })],
      [],
      'start',
    ],
  ])('LED-9 when %s', (_, runs, notifications, kind) => {
    expect(nextStep({ runs, asked: notifications }, true).kind).toBe(kind);
  });

  it('LED-9 if nobody is asked, it does not wait for an open question', () => {
    const [runs, open] = [[run('r1', 'running')], [asked('r1', 'open', 't1')]];
    expect(nextStep({ runs, asked: open }, false).kind).toBe('resume');
  });
});
