import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { isBranchName } from '../../../src/git/branch-name.ts';
import { parseWorktreeBranch, worktreeBranch } from '../../../src/work/worktrees/worktree-branch.ts';

describe('the branch of a phase', () => {
  it.each([
    ['login--implementation-2', { feature: 'login', phase: '2', variant: null }],
    ['login--implementation-2-B', { feature: 'login', phase: '2', variant: 'B' }],
    ['feat/auth.v2--implementation-2.1-a', { feature: 'feat/auth.v2', phase: '2.1', variant: 'A' }],
    ['feat/auth.v2/implementation-2a', { feature: 'feat/auth.v2', phase: '2a', variant: null }],
  ])('VAR-2 %s says what it is for; with a slash it means the same', (branch, name) => {
    expect(parseWorktreeBranch(branch)).toEqual(name);
    expect(parseWorktreeBranch(worktreeBranch(name))).toEqual(name);
  });

  it.each([
    'login',
    'login--implementation-',
    'login--implementation-x',
    '--implementation-1',
    'implementation-1',
  ])('VAR-2 %s is not such a branch', (branch) => expect(parseWorktreeBranch(branch)).toBeUndefined());

  it('a name is a branch if git says so', () => {
    const names = [
      'a',
      'a/b',
      'a.b',
      'ü',
      '-a',
      'a..b',
      'a.lock',
      'a/.b',
      'a b',
      'a~1',
      'a^',
      'a:b',
      'a?',
      'a[',
      'a\\b',
      'a@{0}',
      '@',
      'a.',
      'a/',
      '/a',
      'a//b',
      'a\x7f',
      'HEAD',
      'a@b',
      'a.lock/b',
      'x-',
    ];
    for (const name of names) {
      const { status } = spawnSync('git', ['check-ref-format', '--branch', name]);
      expect([name, isBranchName(name)]).toEqual([name, status === 0 && !['HEAD', '@'].includes(name)]);
    }
  });
});
