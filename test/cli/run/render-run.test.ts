import { describe, expect, test } from 'vitest';
import { type PhaseLine, type RunView, renderRun } from '../../../src/cli/run/render-run.ts';

const phase = (id: string, more: Partial<PhaseLine> = {}): PhaseLine => ({
  id,
  title: `Phase ${id}`,
  state: 'next',
  tokens: 0,
  ...more,
});

const view = (phases: PhaseLine[], more: Partial<RunView> = {}): RunView => ({
  phases,
  counts: { total: phases.length, done: 0, asks: 0, at_work: 0, failed: 0, next: 0 },
  tokens: 0,
  costUsd: 0,
  ...more,
});

describe('RUN-3 the live view', () => {
  test('shows who asks first, then what is running, what failed and why, what is next, and the totals', () => {
    const phases = [
      phase('2', { state: 'failed', reason: 'Failed: no\nway' }),
      phase('3', { state: 'at_work', doing: 'Edit: a.ts', tokens: 1200 }),
      phase('4'),
      phase('5', { state: 'asks', reason: 'Has an open question' }),
    ];
    const counts = { total: 9, done: 5, asks: 1, at_work: 1, failed: 1, next: 1 };
    expect(
      renderRun(view(phases, { counts, tokens: 21_200, costUsd: 0.5 }), { columns: 80, rows: 24 }),
    ).toEqual([
      '? 5     Phase 5  waiting for you',
      '● 3     Phase 3  1200 tokens  Edit: a.ts',
      '✗ 2     Phase 2  Failed: no way',
      '· 4     Phase 4',
      '5 of 9 done · 1 working · 1 waiting for you · 1 failed · 21k tokens · $0.50',
    ]);
  });

  test('while one question is on the screen, the totals say how many more wait', () => {
    const counts = { total: 4, done: 0, asks: 3, at_work: 1, failed: 0, next: 0 };
    const lines = renderRun(view([], { counts }), { columns: 80, rows: 24 }, true);
    expect(lines).toEqual(['0 of 4 done · 1 working · 2 more wait']);
  });

  test.each([
    [40, 24],
    [80, 10],
    [20, 4],
    [200, 50],
  ])('never takes more than half of a terminal of %i × %i, and keeps the totals', (columns, rows) => {
    const phases = Array.from({ length: 500 }, (_, n) => phase(String(n), { title: '語'.repeat(200) }));
    const lines = renderRun(view(phases), { columns, rows });
    expect(lines).toHaveLength(Math.max(2, rows / 2));
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(columns);
    expect(lines.at(-1)).toContain('0 of 500 don');
  });
});
