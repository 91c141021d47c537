import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { buildProgram } from '../../src/cli/program.ts';
import { asked } from '../support/asked.ts';
import { fermata, freshFolder, startFermata } from '../support/fermata.ts';
import { call, makeWorktree, planProject, reviewer, wait } from '../work/support/plan-project.ts';
import { commit, sh, write } from '../work/support/repository.ts';

const as = 'envoy';
const names = ['implementation', 'debugging', 'discovery', 'bug-discovery'];

describe('the seed of envoy, under its name', () => {
  test('SEED-9 built-in protocols speak of the name they were called by, and of commands that exist', async () => {
    const program = await buildProgram(as, () => true);
    const known = new Set(
      program.commands.flatMap((command) => [
        command.name(),
        ...command.commands.map((sub) => `${command.name()} ${sub.name()}`),
      ]),
    );
    for (const name of names) {
      const { code, stdout } = await fermata(['protocol', name], { as });
      expect(code).toBe(0);
      expect(stdout).toMatch(/^# [a-z-]+\n[\s\S]*## Inputs[\s\S]*## Outputs[\s\S]*## Steps\n\n1: /);
      expect(stdout).not.toMatch(/fermata|hook|repomix/);
      const commands = [...stdout.matchAll(/`envoy ([a-z]+(?: [a-z][a-z-]+)?)/g)].map(([, words]) => words);
      expect(commands.length).toBeGreaterThan(1);
      for (const command of commands) expect(known).toContain(command);
    }
    const { stdout } = await fermata(['plan', 'protocol', 'debugging'], { as });
    expect(stdout).toContain('`envoy plan cleanup-debug-logs`');
    expect((await fermata(['protocol', 'debugging'])).stdout).toContain('`fermata plan cleanup-debug-logs`');
  });

  test('SEED-9 rslph has its own "plan", so its protocols and commands call fermata', async () => {
    const { stdout } = await fermata(['protocol', 'implementation'], { as: 'rslph' });
    expect(stdout).toContain('`fermata plan read-prompt <PROMPT_NUM> [<VARIANT>]`');
    expect(stdout).not.toContain('rslph');
    const cwd = freshFolder();
    expect((await fermata(['hooks', 'commands'], { as: 'rslph', cwd })).code).toBe(0);
    const written = readFileSync(join(cwd, '.claude/commands/continue.md'), 'utf8');
    expect(written).toContain('`fermata plan next`');
    expect(written).not.toContain('rslph');
  });

  test('PROT-3 replace, append and insert, in .claude/protocols as the seed writes them', async () => {
    const cwd = freshFolder();
    const base =
      'name: base\ndescription: d\nextends: null\ninputs:\n  - name: param_name\n    type: integer\n    optional: false\n    description: p\noutputs:\n  - value: "{ success: true }"\n    description: o\nsteps:\n  1: |\n    one\n  2: |\n    two\n  3: |\n    three\n';
    const child =
      'name: child\nextends: base\nsteps:\n  1: |\n    replaced\n  2+: |\n    appended\n  2.1: |\n    inserted\n';
    write(cwd, { '.claude/protocols/base.yaml': base, '.claude/protocols/child.yaml': child });
    const { stdout } = await fermata(['protocol', 'child'], { as, cwd });
    expect(stdout).toContain('1: replaced\n\n2: two\nappended\n\n3: inserted\n\n4: three');
    expect(stdout).toContain('- param_name: integer (required) - p');
  });

  test('DBG-1 CMD-11 envoy plan cleanup-debug-logs returns what the seed says', async () => {
    const main = { ...planProject([{ id: '1' }]), as };
    const { cwd } = main;
    const text =
      '// [DEBUG-TEMP]\nconsole.log("debug output");\nconsole.log("more debug");\n\n// real code here\n';
    write(cwd, { 'a.ts': text, 'b.py': '# [DEBUG-TEMP]\nprint(1)\n\nkeep()\n' });
    const { data } = await call(main, 'plan', 'cleanup-debug-logs');
    expect(data).toMatchObject({ success: true, markers_removed: 2 });
    expect(data.files_modified.toSorted()).toEqual(['a.ts', 'b.py']);
    expect(readFileSync(join(cwd, 'a.ts'), 'utf8')).toBe('\n// real code here\n');
  });

  test('CMD-1 CMD-14 SEED-7 the steps of the implementation protocol, call by call', {
    timeout: 120_000,
  }, async () => {
    const main = { ...planProject([{ id: '1' }]), as };
    const branch = 'feat/shop--implementation-1';
    expect((await call(main, 'plan', 'read-prompt', '1')).data.protocol).toBe('implementation');
    const start = ['plan', 'start-prompt', '1', '--specialist', 'backend', '--worktree', branch];
    expect((await call(main, ...start)).status).toBe('success');
    const at = { ...makeWorktree(main, branch), as };
    commit(at.cwd, 'work', { 'done.txt': 'x\n' });
    expect((await call(at, 'git', 'diff-base')).data.files).toMatchObject([{ path: 'done.txt' }]);
    const walkthrough = ['--walkthrough', 'I wrote done.txt', '--iteration', '1'];
    expect((await call(at, 'plan', 'record-implementation', '1', ...walkthrough)).data).toMatchObject({
      walkthrough_type: 'initial',
    });
    const program = reviewer(at, '{"verdict":"passed","thoughts":"good"}');
    const reviewed = await call(at, 'gemini', 'review', '1', '--agent-command', program);
    expect(reviewed.data).toMatchObject({
      verdict: 'passed',
      thoughts: 'good',
      head: 'Reviewed by command.',
    });
    expect((await call(main, 'git', 'merge-worktree', '1')).status).toBe('success');
    expect((await call(main, 'plan', 'complete-prompt', '1')).data).toMatchObject({ completed: true });
  });

  test('CMD-14 a reviewer that a person calls by hand asks that person, and then judges', {
    timeout: 120_000,
  }, async () => {
    const main = { ...planProject([{ id: '1' }]), as };
    const branch = 'feat/shop--implementation-1';
    await call(main, 'plan', 'start-prompt', '1', '--specialist', 'be', '--worktree', branch);
    const at = { ...makeWorktree(main, branch), as };
    commit(at.cwd, 'work', { 'done.txt': 'x\n' });
    const program = reviewer(at, '{"clarifying_questions":["Is it ok?"]}', '{"verdict":"passed"}');
    const running = startFermata(['gemini', 'review', '1', '--agent-command', program], at);
    running.child.stdin?.end();
    const question = await asked(at, ({ source }) => source === 'eval');
    expect((await fermata(['answer', question.id, 'It is'], main)).code).toBe(0);
    const { code, stdout } = await running.ended;
    expect({ code, data: JSON.parse(stdout).data }).toMatchObject({ code: 0, data: { verdict: 'passed' } });
    expect(readFileSync(join(dirname(program), 'prompt-2'), 'utf8')).toContain('It is');
  });

  test('CMD-13 CMD-15 CMD-17 the steps of the discovery protocol, call by call, before there is a plan', async () => {
    const main = { ...planProject([{ id: '1' }]), as };
    sh(main.cwd, 'rm', '-rq', 'plans');
    write(main.cwd, { 'design/manifest.yaml': '- file: login.png\n  description: the form\n' });
    const { data } = await call(main, 'plan', 'read-design-manifest');
    expect(data.designs).toMatchObject([{ file: 'login.png', description: 'the form' }]);
    write(main.cwd, { 'docs/ops.md': '# Operations\n\n## Backups\n\nA snapshot each night.\n' });
    const found = await call(main, 'knowledge', 'search', 'docs', 'disaster recovery strategy');
    expect(found.data.results[0]).toMatchObject({ file: 'docs/ops.md', heading: 'Backups' });
    const approach = ['plan', 'write-approach', 'backend', '1', '--description', 'd', '--variant', 'A'];
    const written = await call(
      main,
      ...approach,
      '--context',
      'c',
      '--files',
      'a.ts,b.ts',
      '--questions',
      'q1|q2',
    );
    expect(written.status).toBe('success');
    const read = await call(main, 'plan', 'get-finding-approach', 'backend', '1', 'A');
    expect(JSON.stringify(read.data)).toContain('q2');
  });

  test('CMD-6 CMD-7 CMD-9 the three gates of the seed return what it says', {
    timeout: 120_000,
  }, async () => {
    const main = { ...planProject([{ id: '1', front: 'debug: true\nrequires_manual_testing: true' }]), as };
    const branch = 'feat/shop--implementation-1';
    await call(main, 'plan', 'start-prompt', '1', '--specialist', 'be', '--worktree', branch);
    const at = { ...main, ...makeWorktree(main, branch) };
    expect(await call(at, 'plan', 'block-prompt-variants-gate', '1')).toMatchObject({
      code: 0,
      data: { thoughts: '', variant_solution: 'main', reason: 'This phase has no variants.' },
    });
    const logging = await wait(at, 'plan', 'block-debugging-logging-gate', '1');
    writeFileSync(logging.asked.gate.file, 'thoughts: odd\nlogs: x=1\ndone: true\n');
    expect(await logging.ended).toMatchObject({ code: 0, data: { thoughts: 'odd', logs: 'x=1' } });
    const testing = await wait(at, 'plan', 'block-prompt-testing-gate', '1');
    const answers = ['changes', 'hm', 'faster', 'slow'];
    expect((await fermata(['answer', testing.asked.id, ...answers], main)).code).toBe(0);
    expect(await testing.ended).toMatchObject({
      code: 0,
      data: {
        thoughts: 'hm',
        passed: false,
        refinements: 'faster',
        user_required_changes: 'faster',
        logs: 'slow',
      },
    });
  });

  test('DBG-1 BIND-19 the debugging protocol in its own order, from the marker to the merge, with one test by a person', {
    timeout: 120_000,
  }, async () => {
    const main = {
      ...planProject([{ id: '1', front: 'debug: true', gates: '- there: `test -f fix.js`' }]),
      as,
    };
    const branch = 'feat/shop--implementation-1';
    const at = () => ({ ...main, cwd: join(main.cwd, '..', branch.replaceAll('/', '-')) });
    const [marker, fixed] = ['// [DEBUG-TEMP]\nconsole.log(1);\n\n', 'export const ok = true;\n'];
    const answered = async (command: string, ...answers: string[]) => {
      const { asked, ended } = await wait(at(), 'plan', command, '1');
      expect((await fermata(['answer', asked.id, ...answers], main)).code).toBe(0);
      return ended;
    };
    const steps: Record<string, () => Promise<unknown>> = {
      'plan read-prompt': () => call(main, 'plan', 'read-prompt', '1'),
      'plan start-prompt': async () => {
        const started = ['plan', 'start-prompt', '1', '--specialist', 'be', '--worktree', branch];
        const data = await call(main, ...started);
        makeWorktree(main, branch);
        write(at().cwd, { 'fix.js': `${marker}export const ok = false;\n` });
        return data;
      },
      'git diff-base': () => call(at(), 'git', 'diff-base'),
      'plan block-debugging-logging-gate': async () => {
        const ended = await answered('block-debugging-logging-gate', 'it prints 1', 'skip');
        write(at().cwd, { 'fix.js': `${marker}${fixed}` });
        return ended;
      },
      'plan record-implementation': () =>
        call(at(), 'plan', 'record-implementation', '1', '--walkthrough', 'fixed', '--iteration', '1'),
      'gemini review': async () => {
        const program = reviewer(at(), '{"verdict":"passed"}');
        const data = await call(at(), 'gemini', 'review', '1', '--agent-command', program);
        commit(at().cwd, 'Fix it');
        return data;
      },
      'plan block-prompt-testing-gate': () =>
        answered('block-prompt-testing-gate', 'passed', 'skip', 'skip', 'skip'),
      'plan block-prompt-variants-gate': () => call(at(), 'plan', 'block-prompt-variants-gate', '1'),
      'plan cleanup-debug-logs': async () => {
        const data = await call(at(), 'plan', 'cleanup-debug-logs');
        commit(at().cwd, 'Remove the debug logs');
        return data;
      },
      'git merge-worktree': () => call(at(), 'git', 'merge-worktree', '1'),
      'plan complete-prompt': () => call(main, 'plan', 'complete-prompt', '1'),
    };
    const { stdout } = await fermata(['protocol', 'debugging'], main);
    const calls = [...stdout.matchAll(/`envoy ([a-z]+ [a-z-]+) ?[^`]*`/g)].map(([, words]) => words ?? '');
    const order = [...new Set(calls)].filter((words) => words !== 'plan commands');
    expect(order).toEqual(Object.keys(steps));
    for (const words of order) expect(await steps[words]?.(), words).toMatchObject({ code: 0 });
    expect(sh(main.cwd, 'show', 'feat/shop:fix.js')).toBe(`\n${fixed}`.trimEnd());
    expect(JSON.parse((await fermata(['inbox', '--format', 'json'], main)).stdout).notifications).toEqual([]);
  });

  test("CLI-hooks SEED-9 switching to a phase's branch prints the plan's progress", async () => {
    const main = { ...planProject([{ id: '1' }, { id: '2' }]), as };
    const start = [
      'plan',
      'start-prompt',
      '1',
      '--specialist',
      'be',
      '--worktree',
      'feat/shop--implementation-1',
    ];
    await call(main, ...start);
    const installed = await fermata(['hooks', 'install'], main);
    expect(installed, installed.stderr).toMatchObject({ code: 0 });
    const env = { ...process.env, ...main.env };
    const checkout = (...args: string[]) => {
      const { stdout, stderr } = spawnSync('git', args, { cwd: main.cwd, env, encoding: 'utf8' });
      return `${stdout}${stderr}`;
    };
    expect(checkout('switch', '-c', 'feat/shop--implementation-1')).toContain(
      'Phase 1, P1: running. 0 of 2 phases of shop are done.',
    );
    expect(checkout('switch', 'main')).not.toContain('phases of shop');
    expect((await fermata(['hooks', 'install'], main)).code).toBe(0);
  });

  test("CLI-hooks SEED-9 a person's own hook is never overwritten, wherever it is", async () => {
    const { cwd, env } = planProject([{ id: '1' }]);
    const hook = join(cwd, '.git/hooks/post-checkout');
    mkdirSync(join(cwd, '.git/hooks'), { recursive: true });
    writeFileSync(hook, '#!/bin/sh\necho mine\n');
    chmodSync(hook, 0o755);
    const refused = await fermata(['hooks', 'install'], { cwd, env });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("is your own hook, so it was not changed. To print the plan's progress");
    expect(readFileSync(hook, 'utf8')).toBe('#!/bin/sh\necho mine\n');
    sh(cwd, 'config', 'core.hooksPath', '.husky');
    expect((await fermata(['hooks', 'install'], { cwd, env })).stderr).toContain('core.hooksPath is .husky');
  });

  test('CLI-hooks SEED-9 /plan and /continue for Claude Code use the name, and keep existing files', async () => {
    const cwd = freshFolder();
    write(cwd, { '.claude/commands/plan.md': 'mine\n' });
    const { code, stdout } = await fermata(['hooks', 'commands'], { as, cwd });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: '.claude/commands/plan.md already exists; not changed.\nWrote .claude/commands/continue.md.\n',
    });
    expect(readFileSync(join(cwd, '.claude/commands/plan.md'), 'utf8')).toBe('mine\n');
    expect(readFileSync(join(cwd, '.claude/commands/continue.md'), 'utf8')).toContain(
      'Run `envoy protocol debugging` and follow the steps. INPUTS: `{ prompt_num: <N>, variant: <V>, feature_branch: <current_branch> }`',
    );
  });
});
