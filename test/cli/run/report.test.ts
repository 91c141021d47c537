import { expect, test } from 'vitest';
import { reportText } from '../../../src/cli/run/report.ts';

test('CLI-run questions and errors of agents cannot control the terminal', () => {
  const standing = { open: 0, in_progress: 0, blocked: 2, closed: 0, asking: 1 };
  const phase = { id: '1', task: 'shop/1', title: 'One', status: 'blocked', reason: 'Failed: \u001b[2Jno' };
  const open = [{ id: 'n-1', task: 'shop/2', question: 'Which \u001b]0;x\u0007colour?' }];
  const report = { result: 'failed' as const, plan: 'shop', feature_branch: 'work', standing };
  const text = reportText(
    { ...report, phases: [phase], open, skipped: [], warnings: [] },
    { folder: 'plans/shop' },
  );
  expect(text).toContain('Phase 1 stopped: Failed: ␛[2Jno');
  expect(text).toContain('Waiting for you: Which ␛]0;x␇colour?');
});

test.each([
  ['waiting', true],
  ['interrupted', false],
] as const)(
  'BIND-17 a run that ends %s with an empty inbox says that its agents ask again: %s',
  (result, says) => {
    const standing = { open: 1, in_progress: 0, blocked: 0, closed: 0, asking: 0 };
    const report = { result, plan: 'shop', feature_branch: 'work', standing };
    const text = reportText(
      { ...report, phases: [], open: [], skipped: [], warnings: [] },
      { folder: 'plans/shop' },
    );
    expect(text.includes('They ask again when you resume')).toBe(says);
  },
);

test.each([
  [true, 'Resume with: fermata run --resume plans/shop'],
  [false, 'Resume with: fermata run --resume plans/shop --no-review'],
])('RUN-2 the command that resumes a run merges with reviews as before: %s', (review, line) => {
  const standing = { open: 1, in_progress: 0, blocked: 0, closed: 0, asking: 0 };
  const report = { result: 'interrupted' as const, plan: 'shop', feature_branch: 'work', standing };
  const text = reportText(
    { ...report, phases: [], open: [], skipped: [], warnings: [] },
    { folder: 'plans/shop', review },
  );
  expect(text.split('\n').at(-1)).toBe(line);
});
