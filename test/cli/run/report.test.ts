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
