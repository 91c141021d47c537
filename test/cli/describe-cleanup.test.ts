import { expect, test } from 'vitest';
import { describeCleanup } from '../../src/cli/commands/git.ts';

test('CMD-13 a person reads which worktrees were removed, and why others were kept', () => {
  expect(describeCleanup({ dry_run: false, removed: [], kept: [] })).toEqual(['No worktree can be removed.']);
  const removed = [{ branch: 'shop--implementation-1', path: '/w/1', ignored_kept: '/kept/1' }];
  const kept = [
    { branch: 'shop--implementation-2', path: '/w/2', reasons: ['in_use' as const, 'dirty' as const] },
  ];
  expect(describeCleanup({ dry_run: false, removed, kept })).toEqual([
    'Removed 1 worktree. The branches stay.',
    '  shop--implementation-1  /w/1 (ignored files are in /kept/1)',
    'Kept 1 worktree:',
    '  shop--implementation-2  /w/2 (in use, dirty)',
  ]);
});
