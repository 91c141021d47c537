import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BAD_PLAN, block, MASTER, PLAN, phase } from '../plan/convert/support/plans.ts';
import { fermata } from '../support/fermata.ts';
import { longTest } from '../support/long-test.ts';
import { unprivileged } from '../support/postgres-account.ts';
import { convert, place, program, prompts, SOURCE } from './support/convert-place.ts';

/** A loaded machine needs a while to start so many programs. */
describe('CLI-convert', () => {
  test('CONV-1 CONV-8 CLI-EXIT-0 writes a plan that passes the audit, with a line for each attempt', async () => {
    const at = place();
    const { code, stdout, stderr } = await convert(at);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'plans/shop\n  MASTER_PLAN.md\n  phase-1.md\n' });
    expect(stderr).toMatch(/Attempt 1 of 3: scripted converts shop\.md\nAttempt 1 passed/);
    expect((await fermata(['audit', 'plans/shop'], at)).code).toBe(0);
    expect(readdirSync(join(at.cwd, 'plans'))).toEqual(['shop']);
  });

  test('CONV-1 each attempt is a new process that gets source, templates and issues through stdin', async () => {
    const at = place([BAD_PLAN, PLAN]);
    const { code, stdout } = await convert(at, '--json');
    expect(code).toBe(0);
    const turns = at.handle.invocations();
    expect(new Set(turns.map(({ sessionId }) => sessionId)).size, 'no session is resumed').toBe(2);
    const [first = '', second = ''] = prompts(at);
    for (const part of ['Build a shop in two steps', '{Feature} - Master Plan', '# Phase {N}: {Phase Title}'])
      expect(first).toContain(part);
    expect(first).not.toContain('Previous Attempt Failed Audit');
    expect(first, 'the placeholders are filled').not.toMatch(
      /\{(?:source_content|previous_issues_section)\}/,
    );
    expect(second).toContain('Previous Attempt Failed Audit');
    expect(second).toContain('- [error] MISSING_GATES: Phase 1 has no gates');
    expect(JSON.parse(stdout), 'CONV-5').toMatchObject({
      success: true,
      iterations: 2,
      files_created: ['MASTER_PLAN.md', 'phase-1.md'],
      audit_passed: true,
      issues: [],
      attempts: [
        { iteration: 1, passed: false, issues: [{ code: 'MISSING_GATES' }, { code: 'NO_NOTES_OUTPUT' }] },
        { iteration: 2, passed: true, tokens: { input: 100, output: 10 } },
      ],
    });
    expect(JSON.parse(stdout).attempts[0].duration_ms).toBeGreaterThan(0);
  });

  test('LED-10 the agent is told how much it may decide alone in this project', async () => {
    const at = place();
    const levels = [
      ['scopeChanges', 'automated', 'Scope changes: Full autonomy: proceed without confirmation'],
      [
        'architectureDecisions',
        'requires_approval',
        'Architecture decisions: Confirm all changes before proceeding',
      ],
      ['dependencyModifications', 'notify_and_proceed', 'Dependency modifications: Notify user but proceed'],
    ];
    for (const [kind, level = ''] of levels)
      expect((await fermata(['config', 'set', `hilConfig.${kind}`, level], at)).code).toBe(0);
    expect((await convert(at)).code).toBe(0);
    for (const [, , sentence] of levels) expect(prompts(at)[0]).toContain(sentence);
  });

  test('CONV-1 the model is haiku with claude, and with no other agent', async () => {
    const at = place();
    const says = program(at, 'echo "$*" > arguments; exit 3');
    await fermata(['convert', 'shop.md', '--agent-command', './agent.sh'], at);
    expect(readFileSync(join(at.cwd, 'arguments'), 'utf8')).toContain('--model haiku');
    await fermata(['convert', 'shop.md', '--agent-command', './agent.sh', '--model', 'opus'], at);
    expect(readFileSync(join(at.cwd, 'arguments'), 'utf8')).toContain('--model opus');
    await fermata(['convert', 'shop.md', ...says], at);
    expect(readFileSync(join(at.cwd, 'arguments'), 'utf8')).toBe('\n');
  });

  test('CONV-4 CLI-EXIT-1 if no attempt passes, the output is unchanged, and the best attempt is kept', async () => {
    const at = place([MASTER, BAD_PLAN]);
    const { code, stdout, stderr } = await convert(at, '--json', '--max-iterations', '2');
    expect(code).toBe(1);
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({
      success: false,
      iterations: 2,
      files_created: [],
      audit_passed: false,
      error: { code: 'audit_failed' },
    });
    expect(stderr).toContain(`The best attempt is kept in ${result.kept}`);
    expect(readFileSync(join(result.kept, 'phase-1.md'), 'utf8')).toContain('# Phase 1');
    expect(existsSync(join(at.cwd, 'plans'))).toBe(false);
  });

  test('CONV-4 --force replaces a plan and keeps it as a backup; without --force, or for a folder without a plan, it refuses', async () => {
    const at = place([PLAN, PLAN.replace('Shop', 'New shop')]);
    await convert(at);
    const refused = await convert(at);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('--force');
    const { code, stdout } = await convert(at, '--force', '--json');
    expect(code).toBe(0);
    const { backup } = JSON.parse(stdout);
    expect(readFileSync(join(backup, 'MASTER_PLAN.md'), 'utf8')).toContain('# Shop');
    expect(readFileSync(join(at.cwd, 'plans/shop/MASTER_PLAN.md'), 'utf8')).toContain('# New shop');
    mkdirSync(join(at.cwd, 'src'));
    writeFileSync(join(at.cwd, 'src', 'mine.ts'), 'mine');
    for (const output of ['src', '.', 'shop.md', 'shop.md/below']) {
      const { stdout: nothing, stderr } = await convert(at, '--force', '--output', output);
      expect({ nothing, stderr }, output).toEqual({
        nothing: '',
        stderr: expect.stringContaining('with --output.'),
      });
    }
    expect(readFileSync(join(at.cwd, 'src', 'mine.ts'), 'utf8')).toBe('mine');
    expect(at.handle.invocations(), 'no agent was asked for that').toHaveLength(2);
  });
});
describe('CLI-EXIT-2 an unusable source is refused before an agent runs', () => {
  test.each([
    ['missing', undefined, /no such file/],
    ['empty', ' \n', /is empty/],
    ['binary', Buffer.from([0x50, 0x4b, 3, 4, 0, 255]), /not UTF-8 text/],
    ['huge', 'x'.repeat(1_100_000), /more than 1048576 bytes/],
  ])('%s', async (name, content, message) => {
    const at = place();
    if (content !== undefined) writeFileSync(join(at.cwd, name), content);
    const result = await fermata(['convert', name, '--agent', 'scripted', '--json'], at);
    expect(result.code).toBe(2);
    expect(result.stderr).toMatch(message);
    expect(JSON.parse(result.stdout).error.code).toBe('invalid');
    expect(at.handle.invocations()).toEqual([]);
  });

  test('refuses a folder, an unknown agent, an invalid number and an invalid duration', async () => {
    const at = place();
    for (const args of [
      ['.'],
      ['shop.md', '--agent', 'cluade'],
      ['shop.md', '--max-iterations', '0'],
      ['shop.md', '--timeout', 'soon'],
      [],
    ])
      expect(await fermata(['convert', ...args], at), args.join(' ')).toMatchObject({ code: 2, stdout: '' });
  });

  test('reads the source from stdin, even with a byte order mark and Windows line ends', async () => {
    const at = place();
    const args = ['convert', '-', '--agent', 'scripted', '--json'];
    const { code, stdout } = await fermata(args, { ...at, input: '\uFEFF# My Shop\r\n\r\nBuild it.\r\n' });
    expect({ code, output: JSON.parse(stdout).output }).toEqual({
      code: 0,
      output: join(at.cwd, 'plans/my-shop'),
    });
  });
});

test('CONV-4 an output that cannot be written to is refused before an agent runs', async () => {
  const at = place();
  for (const folder of ['..', '../..']) chmodSync(join(at.cwd, folder), 0o755);
  chmodSync(at.cwd, 0o555);
  mkdirSync(at.env.FERMATA_HOME ?? '');
  chmodSync(at.env.FERMATA_HOME ?? '', 0o777);
  const args = ['convert', 'shop.md', '--agent', 'scripted', '--json'];
  const { code, stdout } = await fermata(args, { ...at, account: unprivileged() });
  expect(code).toBe(1);
  expect(JSON.parse(stdout).error).toMatchObject({
    code: 'read_only',
    message: expect.stringContaining('is not writable. Choose another folder with --output.'),
  });
  expect(at.handle.invocations()).toEqual([]);
  chmodSync(at.cwd, 0o755);
});

describe('CONV-2 CONV-3 hostile answers', () => {
  test('names outside the folder, missing end markers, two masters: all are reported, and nothing is written', async () => {
    const at = place([
      `${PLAN}${block('../../evil.md', 'x')}${block('/etc/evil', 'x')}${block('a\0b', 'x')}`,
      `${MASTER}${block('Master_Plan.md', '# Two')}---FILE: phase-1.md---\r\nhalf`,
      PLAN.replaceAll('\n', '\r\n'),
    ]);
    const { code, stdout } = await convert(at, '--json');
    expect(code).toBe(0);
    const { attempts } = JSON.parse(stdout);
    const codes = (n: number) => attempts[n].issues.map((issue: { code: string }) => issue.code);
    expect(codes(0)).toEqual(['BAD_FILE_NAME', 'BAD_FILE_NAME', 'BAD_FILE_NAME']);
    expect(codes(1)).toEqual(
      expect.arrayContaining(['DUPLICATE_BLOCK', 'BLOCK_WITHOUT_END', 'PHASE_NOT_FOUND']),
    );
    expect(prompts(at)[2]).toContain(
      '- [error] BLOCK_WITHOUT_END: The file phase-1.md has no ---END FILE---',
    );
    expect(readdirSync(join(at.cwd, '..')).sort()).toEqual(['home', 'project']);
    expect(readFileSync(join(at.cwd, 'plans/shop/phase-1.md'), 'utf8')).not.toContain('\r');
  });

  longTest('placeholders in the source are not filled in', async () => {
    const at = place([BAD_PLAN, PLAN], `${SOURCE}{master_template} $& {previous_issues_section}\n`);
    expect((await convert(at)).code).toBe(0);
    expect(prompts(at)[1]).toContain('{master_template} $& {previous_issues_section}');
  });
});

describe('CONV-7 fidelity', () => {
  const source = `${SOURCE}\nUse PostgreSQL, and answer within 250 ms.\n`;
  const faithful = `${MASTER}\n${phase('PostgreSQL within 250 ms')}`;

  test('lists what the plan lost, but does not fail', async () => {
    const { code, stdout, stderr } = await convert(place([PLAN], source), '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      issues: [],
      fidelity: [
        { kind: 'technology', text: 'PostgreSQL', line: 5 },
        { kind: 'number', text: '250 ms', line: 5 },
      ],
    });
    expect(stderr).toContain('- technology: PostgreSQL (line 5)');
  });

  longTest('with --require-fidelity, a loss is an issue for the next attempt', async () => {
    const at = place([PLAN, faithful], source);
    const { code, stdout } = await convert(at, '--require-fidelity', '--json');
    expect(code).toBe(0);
    expect(prompts(at)[1]).toMatch(
      /- \[error\] LOST_TECHNOLOGY: Missing from the plan: the technology .{1,3}PostgreSQL/,
    );
    expect(JSON.parse(stdout)).toMatchObject({ success: true, iterations: 2, fidelity: [] });
  });

  test('with --require-fidelity, a lasting loss fails the conversion, although the audit passed', async () => {
    const at = place([PLAN], source);
    const { code, stdout } = await convert(at, '--require-fidelity', '--max-iterations', '1', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      success: false,
      audit_passed: true,
      error: { code: 'fidelity_failed' },
    });
    expect(existsSync(join(at.cwd, 'plans'))).toBe(false);
  });
});
