import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { isBranchName } from '../../../src/git/refs.ts';
import {
  featuresOf,
  parseWorktreeBranch,
  taskBranch,
  worktreeBranch,
  worktreeStem,
} from '../../../src/work/worktrees/worktree-branch.ts';

const name = (feature: string, plan: string, phase = '2', variant: string | null = null) =>
  worktreeBranch({ feature, plan, phase, variant });

/** What a hostile or careless person may call a plan or a feature. */
const awkward = [
  ...[
    'login',
    'Login',
    'LOGIN',
    'log--in',
    'login-',
    '-login',
    'login--implementation-2',
    'implementation-2',
  ],
  ...['log in', 'log/in', 'ü', 'u', '..', 'a.lock', 'task-t3', `${'x'.repeat(200)}`, `${'x'.repeat(199)}y`],
  ...['login+3428a81b53d5', 'log-in+0a1b2c3d4e5f', '💥', 'a~b', '2', 'archive', 'login--shop', 'shop'],
];
const features = [
  'login',
  'feat/login',
  'login--shop',
  'login--implementation-1',
  'a',
  'a--b',
  'é'.repeat(125),
];

describe('the branch of a phase', () => {
  it.each([
    ['login', 'login', '2', null, 'login--implementation-2'],
    ['feat/login', 'login', '2a', 'b', 'feat/login--implementation-2a-B'],
    ['login', 'shop', '2.1', 'B', 'login--shop--implementation-2.1-B'],
    ['a--b', 'b', '1', null, 'a--b--b--implementation-1'],
    ['login', 'Shop', '1', null, expect.stringMatching(/^login--shop\+[0-9a-f]{12}--implementation-1$/)],
  ])('VAR-2 feature %s, plan %s, phase %s, variant %s', (feature, plan, phase, variant, branch) =>
    expect(name(feature, plan, phase, variant)).toEqual(branch),
  );

  it('VAR-2 TEAM-5 no two plans have a branch of one name, whatever they and the feature branches are called', () => {
    const plans = [...awkward, 'a', 'b'];
    const branches = features.flatMap((feature) =>
      plans.flatMap((plan) => ['1', '2'].map((phase) => name(feature, plan, phase))),
    );
    const tasks = features.flatMap((feature) => awkward.map((id) => taskBranch(feature, id)));
    const all = [...branches, ...tasks].map((each) => each.toLowerCase());
    expect(new Set(all).size).toBe(all.length);
    for (const branch of all) {
      expect([branch, isBranchName(branch)]).toEqual([branch, true]);
      expect(Math.max(...branch.split('/').map((part) => Buffer.byteLength(`${part}.lock`)))).toBeLessThan(
        256,
      );
    }
  });

  it.each(features.slice(0, -1))(
    'VAR-2 the feature %s and the phase can be read from the name',
    (feature) => {
      for (const plan of awkward) {
        const { stem = '', ...rest } = parseWorktreeBranch(name(feature, plan, '2a', 'b')) ?? {};
        expect(rest).toEqual({ phase: '2a', variant: 'B' });
        expect(featuresOf(stem).find((each) => worktreeStem(each, plan) === stem)).toBe(feature);
      }
    },
  );

  it('VAR-2 a slash before the phase, as older protocols write it, means the same', () => {
    const parts = { stem: 'feat/auth.v2', phase: '2a', variant: null };
    expect(parseWorktreeBranch('feat/auth.v2/implementation-2a')).toEqual(parts);
    expect(parseWorktreeBranch('feat/auth.v2--implementation-2a')).toEqual(parts);
  });

  it.each([
    ['a feature that looks like an option', '--upload-pack=x', '1', null],
    ['a phase with a path in it', 'login', '../1', null],
    ['a variant of several letters', 'login', '1', 'AB'],
    ['a phase with too many digits for a file', 'login', '1'.repeat(250), null],
  ])('VAR-2 %s has none', (_, feature, phase, variant) =>
    expect(() => name(feature, 'shop', phase, variant)).toThrow(/is not a valid branch name/),
  );

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
