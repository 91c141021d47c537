import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { library } from '../cli/plan-from-issues/support/place.ts';
import { gitHub } from '../issues/github/support/github.ts';
import { fermata, freshFolder, startFermata } from '../support/fermata.ts';
import { longTest } from '../support/long-test.ts';
import { planProject } from '../work/support/plan-project.ts';

const v2 = { number: 1, title: 'v2' };
const ISSUES = [
  {
    number: 4,
    title: 'Search',
    body: 'The search should be better and faster.',
    labels: ['bug'],
    milestone: v2,
  },
  { number: 3, title: 'Mail', body: 'We could use Postmark or SendGrid, not decided yet.', labels: ['idea'] },
];

/** A project with the issues of `owner/repo`, and our program as `debussy`. */
async function project() {
  const at = library();
  const server = await gitHub(structuredClone(ISSUES), { repo: 'owner/repo' });
  const env: Record<string, string> = { ...at.env, GITHUB_API_URL: server.url };
  const run = (...args: string[]) => fermata(args, { cwd: at.cwd, env, as: 'debussy' });
  return { ...at, env, run, calls: server.calls };
}

describe('SEED-6 debussy plan-from-issues', () => {
  longTest(
    'the command line of the seed asks over the pipe, with its question and answer messages',
    async () => {
      const at = await project();
      const running = startFermata(['plan-from-issues', '--repo', 'owner/repo', '--agent', 'scripted'], {
        cwd: at.cwd,
        env: { ...at.env, DEBUSSY_QA_PIPE: '1', DEBUSSY_QA_TIMEOUT: '60' },
        as: 'debussy',
      });
      const asked: Record<string, unknown>[] = [];
      let over = false;
      void running.ended.then(() => {
        over = true;
      });
      while (!over) {
        const shown = running.shows(new RegExp(`(.*\\n){${asked.length + 1}}`)).catch(() => '');
        const lines = (await shown).trim().split('\n');
        if (lines.length <= asked.length || lines[0] === '') break;
        const question = JSON.parse(lines[asked.length] ?? '');
        asked.push(question);
        const answer = asked.length === 1 ? 'PostgreSQL' : 'SKIP';
        running.child.stdin?.write(
          `${JSON.stringify({ type: 'answer', gap_type: question.gap_type, answer })}\n`,
        );
      }
      const { code, stdout, stderr } = await running.ended;
      expect({ code, stderr }).toMatchObject({ code: 0 });
      expect(stdout.trim().split('\n')).toHaveLength(asked.length);
      const types = [
        'acceptance_criteria',
        'tech_stack',
        'dependencies',
        'validation',
        'scope',
        'context',
        'general',
      ];
      for (const question of asked) {
        expect(question).toMatchObject({
          type: 'question',
          question: expect.any(String),
          context: expect.any(String),
        });
        expect(types).toContain(question.gap_type);
        expect(Array.isArray(question.options)).toBe(true);
      }
      const master = at.read('MASTER_PLAN.md', 'repo');
      expect(master).toContain('**PostgreSQL**');
      if (asked.length > 1) expect(master).toContain('Skipped by tester');
    },
  );

  test('its own options: -r, -m, -l, --source, --skip-qa, --output-dir, --max-retries, --force, -t', async () => {
    const at = await project();
    const args = ['-r', 'owner/repo', '-m', 'v2', '-l', 'bug', '--source', 'gh', '--skip-qa'];
    const more = [
      '--output-dir',
      'plans/mine',
      '--max-retries',
      '1',
      '-f',
      '-t',
      '60',
      '--agent',
      'scripted',
    ];
    const { code, stdout, stderr } = await at.run('plan-from-issues', ...args, ...more, '--json');
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(JSON.parse(stdout)).toMatchObject({ open: [], output: join(at.cwd, 'plans/mine'), iterations: 1 });
    expect(JSON.parse(stdout).questions.every(({ kind }: { kind: string }) => kind === 'assumed')).toBe(true);
    expect(at.calls.map(({ query }) => query).join(' ')).toContain('labels=bug');
    expect(stderr).toContain('Attempt 1 of 1');
    expect(stderr).toContain('Read 1 issue;');
    const jira = await at.run('plan-from-issues', '--source', 'jira');
    expect(jira).toMatchObject({ code: 2, stderr: expect.stringContaining("'jira' is invalid") });
  });

  test('fermata does not accept its short options', async () => {
    const { code, stderr } = await fermata(['plan-from-issues', '-r', 'owner/repo']);
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("unknown option '-r'"),
    });
  });
});

describe('SEED-6 the other commands of debussy', () => {
  test('plan-init creates a plan, --force replaces it and keeps a backup, and status shows it', async () => {
    const cwd = freshFolder();
    const run = (...args: string[]) => fermata(args, { cwd, as: 'debussy' });
    expect(await run('plan-init', 'user-auth', '-p', '2', '-t', 'backend', '-o', 'plans/auth')).toMatchObject(
      {
        code: 0,
        stdout: 'plans/auth\n  MASTER_PLAN.md\n  phase-1.md\n  phase-2.md\n',
      },
    );
    expect((await run('plan-init', 'user-auth', '-o', 'plans/auth')).code).toBe(2);
    expect(await run('plan-init', 'user-auth', '-o', 'plans/auth', '-f')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('The previous plan is kept in plans/.auth.backup-'),
    });
    expect(readdirSync(join(cwd, 'plans/auth'))).toHaveLength(4);
    const status = await run('status', 'plans/auth');
    expect(status).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/1 {2}user-auth, part 1 {2}Pending/),
    });
  });

  test('CLI-init sets up a project with commands for Claude Code and the checkout hook, and never overwrites files', async () => {
    const { cwd } = planProject([{ id: '1' }]);
    const init = (...args: string[]) => fermata(['init', ...args], { cwd, as: 'debussy' });
    const command = join(cwd, '.claude/commands/continue.md');
    const first = await init();
    expect(first, first.stderr).toMatchObject({ code: 0 });
    expect(first.stdout).toContain('Wrote .claude/commands/plan.md.\nWrote .claude/commands/continue.md.\n');
    expect(readFileSync(command, 'utf8')).toContain('`debussy plan next`');
    expect(readFileSync(join(cwd, '.git/hooks/post-checkout'), 'utf8')).toContain('hooks show');
    writeFileSync(command, 'mine\n');
    writeFileSync(join(cwd, '.git/hooks/post-checkout'), '#!/bin/sh\necho mine\n');
    const again = await init('--json');
    expect(again).toMatchObject({ code: 0 });
    expect(JSON.parse(again.stdout)).toMatchObject({
      files: [{ written: false }, { written: false }],
      hook: null,
      problem: expect.stringContaining('add this line to your post-checkout hook'),
    });
    expect(readFileSync(command, 'utf8')).toBe('mine\n');
    expect((await init('-f')).stdout).toContain('Wrote .claude/commands/continue.md.');
    expect(readFileSync(command, 'utf8')).not.toBe('mine\n');
  });

  test('init takes the folder of the project, and sets up one without git except for the hook', async () => {
    const cwd = freshFolder();
    mkdirSync(join(cwd, 'shop'));
    const made = await fermata(['init', 'shop'], { cwd, as: 'debussy' });
    expect(made).toMatchObject({
      code: 0,
      stdout: 'Wrote shop/.claude/commands/plan.md.\nWrote shop/.claude/commands/continue.md.\n',
      stderr: expect.stringContaining('the checkout hook is not installed.'),
    });
    const none = await fermata(['init', 'none'], { cwd, as: 'debussy' });
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('none is not a folder.') });
  });

  test('resume continues a run, as run --resume does', async () => {
    const cwd = freshFolder();
    const resumed = await fermata(['resume'], { cwd, as: 'debussy' });
    const ours = await fermata(['run', '--resume'], { cwd });
    expect(resumed).toEqual(ours);
    expect(ours.stderr).not.toBe('');
  });

  test('convert takes --output-dir, --max-retries, -m, -t and -f', async () => {
    const at = library();
    writeFileSync(join(at.cwd, 'plan.md'), '# Shop\n\nBuild a shop.\n');
    mkdirSync(join(at.cwd, 'plans/shop'), { recursive: true });
    writeFileSync(join(at.cwd, 'plans/shop/MASTER_PLAN.md'), '# Old\n');
    const args = [
      'convert',
      'plan.md',
      '--output-dir',
      'plans/shop',
      '--max-retries',
      '2',
      '-t',
      '60',
      '-m',
      'haiku',
    ];
    const run = (...more: string[]) =>
      fermata([...args, '--agent', 'scripted', ...more], { cwd: at.cwd, env: at.env, as: 'debussy' });
    expect((await run()).code).toBe(2);
    const { code, stderr } = await run('-f');
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain('Attempt 1 of 2');
    expect(existsSync(join(at.cwd, 'plans/shop/phase-1.md'))).toBe(true);
  });

  test('--help under that name lists its commands and options and explains them', async () => {
    const help = async (...args: string[]) => (await fermata([...args, '--help'], { as: 'debussy' })).stdout;
    const issues = await help('plan-from-issues');
    for (const flag of ['-r, --repo', '-m, --milestone', '-l, --label', '-s, --source', '-o, --output-dir']) {
      expect(issues).toContain(flag);
    }
    expect(issues.replace(/\s+/g, ' ')).toContain('--max-retries <number> the same as --max-iterations');
    expect(issues.replace(/\s+/g, ' ')).toContain(
      'ask nothing, assume instead: the same as --max-questions 0',
    );
    const convert = (await help('convert')).replace(/\s+/g, ' ');
    expect(convert).toContain('how long one attempt may take (default: "2m")');
    expect(convert).toContain('the maximum number of attempts (default: 3)');
    const all = await help();
    for (const name of ['init', 'plan-init', 'status', 'resume']) expect(all).toContain(`  ${name} `);
  });

  test('shell completion knows them', async () => {
    const { stdout } = await fermata(['complete', '--', 'plan-'], { as: 'debussy' });
    expect(stdout).toContain('plan-init');
    const options = await fermata(['complete', '--', 'plan-from-issues', '--sk'], { as: 'debussy' });
    expect(options.stdout).toContain('--skip-qa');
  });
});
