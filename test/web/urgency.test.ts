import { describe, expect, it } from 'vitest';
import { byUrgency, heldUp, holdsWords } from '../../src/text/urgency.ts';
import { asked, task } from './support.ts';

describe('what is urgent', () => {
  const tasks = [
    task('a'),
    task('b', ['a']),
    task('c', ['b']),
    task('d', ['a'], { status: 'closed' }),
    task('e'),
  ];

  it('blocks its task and every unfinished task that depends on it, directly or indirectly', () => {
    expect(heldUp(asked({ holds: { task: 'a' } }), tasks)).toMatchObject({ own: [{ id: 'a' }], behind: 2 });
    expect(heldUp(asked({ sourceId: 'x', holds: { task: 'b' } }), tasks)).toMatchObject({
      own: [{ id: 'b' }],
      behind: 1,
    });
    expect(heldUp(asked({ holds: { task: 'nowhere' } }), tasks)).toEqual({ own: [], behind: 0 });
  });

  it('a cycle of tasks is counted once', () => {
    expect(heldUp(asked({ holds: { task: 'a' } }), [task('a', ['b']), task('b', ['a'])]).behind).toBe(1);
  });

  it('ATT-9 is sorted by the nearest deadline, then by how many tasks it blocks, then by age', () => {
    const soon = { kind: 'skip' as const, after: 60 };
    const list = [
      asked({ id: 'old', holds: {}, createdAt: '2026-01-01T08:00:00.000Z' }),
      asked({ id: 'leaf', holds: { task: 'e' } }),
      asked({ id: 'root', holds: { task: 'a' } }),
      asked({ id: 'late', policy: soon, deadlineAt: '2026-01-02T00:00:00.000Z' }),
      asked({ id: 'soon', policy: soon, deadlineAt: '2026-01-01T11:00:00.000Z' }),
      asked({ id: 'young', holds: {} }),
      asked({
        id: 'reminded',
        holds: {},
        policy: { kind: 'remind', after: 1 },
        deadlineAt: '2026-01-01T10:00:01.000Z',
      }),
    ];
    const order = byUrgency(list, () => tasks).map(({ id }) => id);
    expect(order).toEqual(['soon', 'late', 'root', 'leaf', 'old', 'reminded', 'young']);
  });

  it('at a variants gate, every variant and what comes after them waits', () => {
    const tasks = [task('p/3-A'), task('p/3-B'), task('p/30'), task('p/4', ['p/3-A', 'p/3-B'])];
    const gate = { kind: 'variants' as const, plan: 'p', phase: '3', round: 0, file: 'f' };
    const held = heldUp(asked({ source: 'gate', sourceId: 'p/3', kind: 'gate', holds: {}, gate }), tasks);
    expect(holdsWords(held)).toBe('holds up p/3-A, p/3-B and 1 more task');
    expect(holdsWords(heldUp(asked({ holds: { task: 'p/3' } }), tasks))).toBeUndefined();
  });
});
