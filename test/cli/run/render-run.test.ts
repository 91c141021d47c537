import { describe, expect, test } from 'vitest';
import { type PhaseLine, renderRun } from '../../../src/cli/run/render-run.ts';

const phase = (id: string, more: Partial<PhaseLine> = {}): PhaseLine => ({
  id,
  title: `Phase ${id}`,
  status: 'open',
  tokens: 0,
  costUsd: 0,
  ...more,
});

describe('RUN-3 the live view', () => {
  test('shows what is at work, what waits and why, what comes, and the sums', () => {
    const phases = [
      phase('1', { status: 'closed', tokens: 20_000, costUsd: 0.5 }),
      phase('2', { status: 'in_progress', doing: 'Edit: a.ts', tokens: 1200 }),
      phase('3', { status: 'blocked', reason: 'asks n-1: Which\ncolour?' }),
      phase('4'),
    ];
    expect(renderRun(phases, 80)).toEqual([
      '● 2     Phase 2  1200 tokens  Edit: a.ts',
      '‖ 3     Phase 3  asks n-1: Which colour?',
      '· 4     Phase 4',
      '1 of 4 done · 1 at work · 1 waiting · 21k tokens · $0.50',
    ]);
  });

  test('never takes more room than the terminal has', () => {
    const phases = Array.from({ length: 500 }, (_, n) =>
      phase(String(n), { status: 'in_progress', title: '語'.repeat(200) }),
    );
    const lines = renderRun(phases, 40);
    expect(lines.length).toBeLessThan(15);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(40);
  });
});
