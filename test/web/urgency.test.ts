import { describe, expect, it } from 'vitest';
import { byUrgency, heldUp } from '../../web/src/inbox/urgency.ts';
import { asked, task } from './support.ts';

describe('what is urgent', () => {
  const tasks = [
    task('a'),
    task('b', ['a']),
    task('c', ['b']),
    task('d', ['a'], { status: 'closed' }),
    task('e'),
  ];

  it('holds up its task and everything behind it that is not closed, over any number of steps', () => {
    expect(heldUp(asked({ sourceId: 'a' }), tasks)).toMatchObject({ task: { id: 'a' }, behind: 2 });
    expect(heldUp(asked({ sourceId: 'x', resume: { agent: 'claude', task: 'b' } }), tasks)).toMatchObject({
      task: { id: 'b' },
      behind: 1,
    });
    expect(heldUp(asked({ sourceId: 'nowhere' }), tasks)).toEqual({ behind: 0 });
  });

  it('a loop of tasks is counted once', () => {
    expect(heldUp(asked({ sourceId: 'a' }), [task('a', ['b']), task('b', ['a'])]).behind).toBe(1);
  });

  it('comes first where silence decides soonest, then what holds up most, then what waits longest', () => {
    const soon = { kind: 'skip' as const, after: 60 };
    const list = [
      asked({ id: 'old', sourceId: 'x', createdAt: '2026-01-01T08:00:00.000Z' }),
      asked({ id: 'leaf', sourceId: 'e' }),
      asked({ id: 'root', sourceId: 'a' }),
      asked({ id: 'late', policy: soon, deadlineAt: '2026-01-02T00:00:00.000Z' }),
      asked({ id: 'soon', policy: soon, deadlineAt: '2026-01-01T11:00:00.000Z' }),
      asked({ id: 'young', sourceId: 'x' }),
      asked({
        id: 'reminded',
        sourceId: 'x',
        policy: { kind: 'remind', after: 1 },
        deadlineAt: '2026-01-01T10:00:01.000Z',
      }),
    ];
    const order = byUrgency(list, () => tasks).map(({ id }) => id);
    expect(order).toEqual(['soon', 'late', 'root', 'leaf', 'old', 'reminded', 'young']);
  });
});
