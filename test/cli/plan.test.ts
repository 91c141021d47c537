import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { good, master, row } from '../plan/grammar/plans.ts';
import { fermata, freshFolder } from '../support/fermata.ts';

function place(files: Record<string, string> = {}) {
  const cwd = freshFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(cwd, 'plan'), { recursive: true });
    writeFileSync(join(cwd, 'plan', path), text);
  }
  return { cwd };
}

const plan = (at: { cwd: string }, ...args: string[]) => fermata(['plan', ...args], at);
const json = async (at: { cwd: string }, ...args: string[]) =>
  JSON.parse((await plan(at, ...args, '--json')).stdout);

describe('CLI-plan-init', () => {
  test('PLAN-5 creates a plan that passes the audit, and lists what to fill in', async () => {
    const at = place();
    const { code, stdout, stderr } = await plan(
      at,
      'init',
      'User Auth',
      '--phases',
      '2',
      '--template',
      'frontend',
    );
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'plans/user-auth\n  MASTER_PLAN.md\n  phase-1.md\n  phase-2.md\n',
    });
    expect(stderr).toContain('\n  {What this phase is about} (2 times)\n');
    const audit = await fermata(['audit', 'plans/user-auth', '--json'], at);
    const { issues } = JSON.parse(audit.stdout);
    expect({
      code: audit.code,
      codes: [...new Set(issues.map((issue: { code: string }) => issue.code))],
    }).toEqual({
      code: 0,
      codes: ['PLACEHOLDER_LEFT'],
    });
    const { phases } = await json(at, 'show', 'plans/user-auth');
    expect(phases).toMatchObject([
      { depends_on: [] },
      { depends_on: ['1'], notes: { output: 'notes/NOTES_phase_2.md' } },
    ]);
  });

  test('writes to --output, and prints JSON for programs', async () => {
    const at = place();
    const result = await json(at, 'init', 'Ünïcode', '--phases', '1', '--output', 'here');
    expect(result).toMatchObject({ output: join(at.cwd, 'here'), files: ['MASTER_PLAN.md', 'phase-1.md'] });
    expect(result.placeholders).toContainEqual({
      file: 'phase-1.md',
      line: 17,
      text: expect.stringMatching(/^\{/),
    });
    expect(readFileSync(join(at.cwd, 'here/MASTER_PLAN.md'), 'utf8')).toMatch(/^# Ünïcode - Master Plan\n/);
  });

  test.each([
    ['a name without a letter', ['!!!'], /"!!!" is not a valid name/],
    ['no phases', ['x', '--phases', '0'], /"0" is too small\. It must be from 1/],
    ['a template that there is not', ['x', '--template', 'mobile'], /generic, backend, frontend/],
    ['a folder that is used', ['x', '--output', 'plan'], /is not empty/],
    ['a hidden folder', ['x', '--output', '.x'], /"\.x" cannot name a plan\. Use up to 200 characters/],
  ])('CLI-EXIT-2 %s', async (_, args, sentence) => {
    const at = place({ 'x.md': '' });
    const { code, stderr } = await plan(at, 'init', ...args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(sentence) });
    expect(readdirSync(at.cwd)).toEqual(['plan']);
    expect(existsSync(join(at.cwd, 'plans'))).toBe(false);
  });
});

const shop = {
  'MASTER_PLAN.md': `# Shop - Master Plan

**GitHub Issues:** #10, #11
**GitHub Repo:** owner/repo

## Phases

| Phase | Title | Status |
|---|---|---|
| 1 | [One](phase-1.md) | Done |
| 2a | [Two](phase-2.md) | Pending |
| 3 | [Three](phase-3.md) | Pending |
| 4 | [Four](phase-4.md) | Pending |
`,
  'phase-1.md': good.replace('Pending', 'Completed'),
  'phase-2.md': `# Phase 2a: Second

**Status:** Pending
**Depends On:** [Phase 1](phase-1.md)
**GitHub Issues:** #10, #11

## Process Wrapper
- [ ] Read previous notes: \`notes/1.md\`
- [ ] Write notes to: \`notes/2.md\`
- [ ] AGENT:checker

## Gates
- **tests**: \`npm test\` (AC-1)

## Tasks
- [x] 1.1: First
- [ ] second

## Acceptance Criteria
- AC-1: It works
`,
  'phase-3.md': `${good.replace('# Phase 1: One\n\n', '# Phase 3: Third\n\n**Depends On:** Phase 2a\n')}`,
};

describe('CLI-plan-show', () => {
  test('PLAN-2 prints the whole plan for programs', async () => {
    const shown = await json(place(shop), 'show', 'plan');
    expect(Object.keys(shown)).toEqual(['title', 'metadata', 'phases', 'problems']);
    expect(shown).toMatchObject({
      title: 'Shop',
      metadata: { github_issues: [10, 11], github_repo: 'owner/repo', created: null, jira_issues: [] },
    });
    expect(shown.phases[1]).toEqual({
      id: '2a',
      title: 'Second',
      path: 'phase-2.md',
      status: 'pending',
      issues: [10, 11],
      depends_on: ['1'],
      gates: [{ name: 'tests', command: 'npm test', line: 13 }],
      tasks: [
        { id: '1.1', text: 'First', done: true, line: 16 },
        { text: 'second', done: false, line: 17 },
      ],
      notes: { input: 'notes/1.md', output: 'notes/2.md' },
      agents: ['checker'],
      criteria: [{ id: 'AC-1', text: 'It works', line: 20 }],
    });
    expect(shown.problems).toMatchObject([{ code: 'PHASE_NOT_FOUND', file: 'MASTER_PLAN.md', line: 13 }]);
  });

  test('prints it for people, with unreadable parts on stderr', async () => {
    const { code, stdout, stderr } = await plan(place(shop), 'show', 'plan');
    expect(code).toBe(0);
    expect(stdout).toContain('Shop\nowner/repo · #10 · #11\n');
    expect(stdout).toContain(
      '2a  Second  Pending  phase-2.md\n  after     1\n  issues    #10, #11\n  gates     tests: npm test\n  tasks     1 of 2 done\n',
    );
    expect(stderr).toBe('MASTER_PLAN.md:13: The file of phase 4 is missing: phase-4.md.\n');
  });

  test('prints nothing that controls a terminal', async () => {
    const files = {
      'MASTER_PLAN.md': `# \u001b[2Jx\n\n${master('| 1 | [a\u001b[31m](a.md) | | | \u009b31m |')}`,
    };
    const { stdout, stderr } = await plan(place(files), 'show', 'plan');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(stdout + stderr).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
  });

  test('CLI-EXIT-2 without a master there is nothing to show', async () => {
    const { code, stdout, stderr } = await plan(place(), 'show', 'nowhere', '--json');
    expect({ code, error: JSON.parse(stdout).error.code }).toEqual({ code: 2, error: 'invalid' });
    expect(stderr).toMatch(/^fermata: MASTER_PLAN\.md not found\. \(in .*nowhere\)/);
  });

  test('CMD-16 the error for a misspelt plan suggests the right one and lists all of them', async () => {
    const at = place();
    await plan(at, 'init', 'Shop');
    const { code, stdout } = await plan(at, 'next', 'plans/shp');
    expect({ code, error: JSON.parse(stdout).error }).toMatchObject({
      code: 1,
      error: {
        type: 'not_found',
        message: 'MASTER_PLAN.md not found in plans/shp. Did you mean "plans/shop"?',
        suggestion: 'Plans found: plans/shop.',
      },
    });
  });
});

const data = async (at: { cwd: string }, ...args: string[]) =>
  JSON.parse((await plan(at, ...args)).stdout).data;

describe('CLI-plan-status', () => {
  test('CMD-16 prints the status of each phase and what it waits for', async () => {
    const at = place(shop);
    const { title, counts, phases, problems } = await data(at, 'status', 'plan');
    expect({ title, counts }).toMatchObject({
      title: 'Shop',
      counts: { completed: 1, pending: 3, running: 0 },
    });
    expect(phases[1]).toMatchObject({
      id: '2a',
      title: 'Second',
      path: 'phase-2.md',
      status: 'pending',
      tasks: { done: 1, total: 2 },
      waits_for: [],
      holder: null,
    });
    expect(phases[0].tasks, 'all of a completed phase').toEqual({ done: 1, total: 1 });
    expect(phases[2]).toMatchObject({ id: '3', waits_for: ['2a'] });
    expect(problems).toMatchObject([{ code: 'PHASE_NOT_FOUND' }]);
  });
});

describe('CLI-plan-next', () => {
  test('CMD-16 lists pending phases whose dependencies are completed, and what the others wait for', async () => {
    const at = place(shop);
    const { next, waiting, completed } = await data(at, 'next', '--plan', 'plan');
    expect(next.map(({ id }: { id: string }) => id)).toEqual(['2a']);
    expect(waiting).toMatchObject([
      { id: '3', waits_for: ['2a'] },
      { id: '4', waits_for: [] },
    ]);
    expect(completed).toBe(false);
  });

  test('CMD-16 lists fixes first, and all variants of a phase together', async () => {
    const behind = (extra: string) =>
      `---\n${extra}\n---\n${good.replace('## Tasks', '**Depends On:** Phase 1\n\n## Tasks')}`;
    const at = place({
      'MASTER_PLAN.md': master(row(1, 'phase-1.md', 'Done'), row(3), row('2-A'), row('2-B')),
      'phase-1.md': good.replace('Pending', 'Done'),
      'phase-3.md': good,
      'phase-2-A.md': behind('kind: feature'),
      'phase-2-B.md': behind('kind: debug'),
    });
    const { next, count, requested } = await data(at, 'next', 'plan', '-n', '1');
    expect({ ids: next.map(({ id }: { id: string }) => id), count, requested }).toEqual({
      ids: ['2-B', '2-A'],
      count: 2,
      requested: 1,
    });
  });

  test('uses the current folder if none is named', async () => {
    const { cwd } = place(shop);
    expect((await fermata(['plan', 'next'], { cwd: join(cwd, 'plan') })).stdout).toContain('2a');
  });
});

describe('CMD-16 plan validate-dependencies', () => {
  test('reports cycles and unknown phases', async () => {
    const on = (what: string) => good.replace('## Tasks', `**Depends On:** ${what}\n\n## Tasks`);
    const at = place({
      'MASTER_PLAN.md': master(row(1), row(2), row(3)),
      'phase-1.md': on('Phase 2'),
      'phase-2.md': on('Phase 1'),
      'phase-3.md': on('Phase 9'),
    });
    expect(await data(at, 'validate-dependencies', 'plan')).toEqual({
      valid: false,
      cycles: [['1', '2', '1']],
      groups: [],
      missing: [{ phase: '3', depends_on: '9', line: expect.any(Number) }],
    });
    expect(await data(place(shop), 'validate-dependencies', 'plan')).toMatchObject({ valid: true });
  });
});
