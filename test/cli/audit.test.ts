import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Audit } from '../../src/plan/audit/audit-plan.ts';
import { good, master, row } from '../plan/grammar/plans.ts';
import { fermata, freshFolder } from '../support/fermata.ts';
import { give, unprivileged } from '../support/postgres-account.ts';

function place(files: Record<string, string | Buffer>) {
  const cwd = freshFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
  return { cwd };
}

// `node` is always on the PATH of the tests; its `npm` may not be.
const runnable = good.replace('npm test', 'node --test');
const plan = (phase = runnable) => ({ 'plan/MASTER_PLAN.md': master(row(1)), 'plan/phase-1.md': phase });
const audit = (at: { cwd: string }, ...args: string[]) => fermata(['audit', 'plan', ...args], at);

async function json(at: { cwd: string }, ...args: string[]): Promise<Audit> {
  const { stdout } = await audit(at, '--format', 'json', ...args);
  return JSON.parse(stdout);
}

const codes = ({ issues }: Audit) => issues.map(({ code }) => code);

describe('CLI-audit', () => {
  test('CLI-EXIT-0 a good plan passes, by its folder and by its master', async () => {
    const at = place(plan());
    const { code, stdout, stderr } = await audit(at);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe('Passed: 1 phase, 1 gate; 0 errors, 0 warnings.\n');
    expect((await fermata(['audit', 'plan/MASTER_PLAN.md'], at)).code).toBe(0);
    expect(await json(at)).toEqual({
      passed: true,
      summary: { phases: 1, gates: 1, errors: 0, warnings: 0 },
      issues: [],
    });
  });

  test('AUD-1 warnings pass, and fail with --strict', async () => {
    const at = place(plan(runnable.replace('node --test', 'nosuchprogram')));
    expect((await audit(at)).code).toBe(0);
    expect((await audit(at, '--strict')).code).toBe(1);
    expect(codes(await json(at))).toEqual(['GATE_NOT_RUNNABLE']);
    expect((await json(at, '--strict')).passed).toBe(false);
  });

  test('CLI-EXIT-1 errors are shown with their line and a caret', async () => {
    const { code, stdout } = await audit(place(plan(runnable.replace('node --test', 'true'))));
    expect(code).toBe(1);
    expect(stdout).toContain('error GATE_CANNOT_FAIL  plan/phase-1.md:12:11\n');
    expect(stdout).toContain('  12 | - tests: `true`\n     |           ^\n');
    expect(stdout).toMatch(/\nFailed: 1 phase, 1 gate; 1 error, 0 warnings\.\n$/);
  });

  test('AUD-1 lists what a new template leaves to fill in, one line each; the JSON has all of it', async () => {
    const at = place({});
    await fermata(['plan', 'init', 'Shop', '--output', 'plan'], at);
    const { stdout } = await audit(at);
    const { issues } = await json(at);
    expect(issues.length).toBeGreaterThan(30);
    expect(stdout).toContain(`warning PLACEHOLDER_LEFT  ${issues.length} times\n`);
    expect(stdout.match(/^ {2}plan\/\S+:\d+:\d+ {2}Placeholder \{.*\} is not filled in\.$/gm)).toHaveLength(
      issues.length,
    );
    expect(stdout.match(/Replace it with the real text\./g)).toHaveLength(1);
  });

  test('AUD-1 each issue is an object of seven fields', async () => {
    const { issues } = await json(place({ ...plan('# x\n') }));
    expect(issues[0]).toEqual({
      severity: 'error',
      code: 'MISSING_GATES',
      message: expect.stringContaining('Phase 1 has no gates defined'),
      file: 'phase-1.md',
      line: 1,
      column: 1,
      suggestion: expect.stringContaining('## Gates'),
    });
  });

  test.each<[string, Record<string, string | Buffer>, string]>([
    ['no folder', {}, 'MASTER_NOT_FOUND'],
    ['no master', { 'plan/x.md': '' }, 'MASTER_NOT_FOUND'],
    ['a master that is a folder', { 'plan/MASTER_PLAN.md/x': '' }, 'MASTER_PARSE_ERROR'],
    ['a master that is no text', { 'plan/MASTER_PLAN.md': Buffer.from([255, 254, 0]) }, 'MASTER_PARSE_ERROR'],
    ['two masters', { 'plan/MASTER_PLAN.md': '', 'plan/master_plan.md': '' }, 'MASTER_PARSE_ERROR'],
  ])('CLI-EXIT-2 %s is told on stderr, and as an issue', async (_, files, issue) => {
    const at = place(files);
    const { code, stdout, stderr } = await audit(at);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^fermata: .*MASTER_PLAN\.md.*\n$/);
    expect(codes(await json(at))).toEqual([issue]);
  });

  test('without a name it audits the only plan of the project, or lists them if there are several', async () => {
    const one = { 'plans/login/MASTER_PLAN.md': master(row(1)), 'plans/login/phase-1.md': runnable };
    const backup = 'plans/.login.backup-1/MASTER_PLAN.md';
    const at = place({ ...one, 'plans/notes.txt': '', [backup]: master(row(1)) });
    for (const command of [['audit'], ['plan', 'show']]) {
      expect(await fermata(command, at)).toMatchObject({ code: 0, stderr: '' });
      const wrong = await fermata([...command, 'plans/logn'], at);
      expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('Plans found: plans/login.') });
    }
    const two = place({ ...one, 'plans/search/MASTER_PLAN.md': master(row(1)) });
    for (const command of [['audit'], ['plan', 'show']]) {
      expect(await fermata(command, two)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('Several plans found: plans/login, plans/search.'),
      });
    }
  });

  test('CLI-EXIT-2 refuses an unknown format', async () => {
    const { code, stderr } = await audit(place(plan()), '--format', 'xml');
    expect(code).toBe(2);
    expect(stderr).toContain('text, json, sarif, github');
  });

  test('AUD-1 bad files are issues with a clear message, never a stack trace', async () => {
    const at = place({
      'plan/MASTER_PLAN.md': `\uFEFF${master(row(1), row(2), row(3), row(4), '| ? |').replaceAll('\n', '\r\n')}`,
      'plan/phase-1.md': `\uFEFF${runnable.replaceAll('\n', '\r\n')}`,
      'plan/phase-2.md/x': '',
      'plan/phase-3.md': Buffer.from([0xc3, 0x28]),
      'plan/phase-4.md': runnable + 'text '.repeat(200_000),
    });
    const { issues } = await json(at);
    expect(issues.map(({ code, file, line }) => `${code} ${file}:${line}`)).toEqual([
      'UNREADABLE_ROW MASTER_PLAN.md:11',
      'PHASE_PARSE_ERROR phase-2.md:1',
      'PHASE_PARSE_ERROR phase-3.md:1',
    ]);
    expect((await audit(at)).stderr).toBe('');
  });

  test('AUD-1 reports a phase file without read permission', async () => {
    const at = place(plan());
    const account = unprivileged();
    if ('uid' in account) give(at.cwd, account);
    chmodSync(join(at.cwd, '..'), 0o755);
    chmodSync(join(at.cwd, '../..'), 0o755);
    chmodSync(join(at.cwd, 'plan/phase-1.md'), 0o000);
    const { code, stdout, stderr } = await fermata(['audit', 'plan', '--json'], { ...at, account });
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(JSON.parse(stdout).issues).toMatchObject([
      { code: 'PHASE_PARSE_ERROR', message: expect.stringContaining('is not readable by you') },
    ]);
  });

  test('AUD-1 looks for programs, scripts of the manifest and agents around the plan', async () => {
    const gates = '- a: `npm run there`\n- b: `npm run gone`\n- c: `./tool.sh`\n- d: `node x`\n';
    const files = {
      ...plan(`${runnable}${gates}\n**AGENT:local** **AGENT:Named** **AGENT:Explore** **AGENT:ghost**\n`),
      'package.json': '{"scripts":{"there":"x"}}',
      'bin/npm': '',
      'tool.sh': '',
      '.claude/agents/local.md': '',
      '.claude/agents/other.md': '---\nname: named\n---\n',
    };
    const at = place(files);
    const env = { PATH: `${join(at.cwd, 'bin')}:${dirname(process.execPath)}` };
    const { stdout } = await fermata(['audit', 'plan', '--json'], { ...at, env });
    const { issues }: Audit = JSON.parse(stdout);
    expect(issues.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'GATE_NOT_RUNNABLE Gate "b" of phase 1 cannot run here: package.json has no script "gone".',
      "MISSING_AGENT Missing custom agent 'ghost', required by phase-1.md.",
    ]);
  });

  test('AUD-1 --fix fixes what is safe, says so, and changes nothing else', async () => {
    const broken = runnable.replace(/- \[ \] Write.*\n/, '').replace('Pending', 'Pendign');
    const at = place(plan(broken.replaceAll('\n', '\r\n')));
    const { code, stdout, stderr } = await audit(at, '--fix', '--json');
    expect({ code, issues: codes(JSON.parse(stdout)) }).toEqual({ code: 0, issues: [] });
    expect(JSON.parse(stdout).fixed).toMatchObject([{ file: 'phase-1.md', line: 3 }, { file: 'phase-1.md' }]);
    expect(stderr).toContain('Fixed plan/phase-1.md:3: Changed the status Pendign to Pending.\n');
    expect(readFileSync(join(at.cwd, 'plan/phase-1.md'), 'utf8')).toBe(
      broken
        .replace('Pendign', 'Pending')
        .replace('Wrapper\n', 'Wrapper\n\n- [ ] Write notes to: `notes/NOTES_phase_1.md`\n')
        .replaceAll('\n', '\r\n'),
    );
    const again = await audit(at, '--fix');
    expect(again.stderr).toBe('');
  });

  test('AUD-1 github annotations and sarif name files as seen from here', async () => {
    const at = place(plan('# x\n'));
    const annotate = (env: Record<string, string | undefined>, cwd: string) =>
      fermata(['audit', join(at.cwd, 'plan'), '--format', 'github'], { cwd, env });
    const github = await annotate({ GITHUB_WORKSPACE: undefined }, at.cwd);
    const inAction = await annotate({ GITHUB_WORKSPACE: at.cwd }, join(at.cwd, 'plan'));
    expect(inAction).toEqual(github);
    expect(github.code).toBe(1);
    expect(github.stdout).toMatch(
      /^::error file=plan\/phase-1\.md,line=1,col=1,title=MISSING_GATES::Phase 1/,
    );
    const sarif = JSON.parse((await audit(at, '--format', 'sarif')).stdout);
    expect(sarif.runs[0].results[0]).toMatchObject({
      ruleId: 'MISSING_GATES',
      locations: [{ physicalLocation: { artifactLocation: { uri: 'plan/phase-1.md' } } }],
    });
  });
});
