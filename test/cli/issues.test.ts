import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fakeGh } from '../issues/github/support/fake-gh.ts';
import { gitHub } from '../issues/github/support/github.ts';
import { fermata, freshFolder, startFermata } from '../support/fermata.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples/issues');
const wish = { number: 4, title: 'Add dark mode', body: 'Would be nice!', labels: [{ name: 'enhancement' }] };

function place(files: Record<string, string> = {}) {
  const cwd = freshFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  return { cwd };
}

describe('CLI-issues-analyze', () => {
  test('GAP-2 GAP-6 reads the output of gh from a file, and prints one JSON document and nothing else', async () => {
    const at = place({ 'issues.json': JSON.stringify([wish]) });
    const { code, stdout, stderr } = await fermata(
      ['issues', 'analyze', '--from-file', 'issues.json', '--format', 'json'],
      at,
    );
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toEqual({
      issues: [
        expect.objectContaining({
          number: 4,
          title: 'Add dark mode',
          kind: 'feature',
          score: 45,
          gaps: [
            expect.objectContaining({
              gap_type: 'acceptance_criteria',
              severity: 'critical',
              evidence: expect.any(Array),
              question: expect.stringContaining('#4'),
              options: expect.any(Array),
              context: expect.any(String),
            }),
            expect.objectContaining({ gap_type: 'validation', severity: 'critical' }),
          ],
        }),
      ],
      questions: [
        expect.objectContaining({
          id: 'acceptance_criteria-4',
          gap_type: 'acceptance_criteria',
          covers: ['acceptance_criteria', 'validation'],
          issues: [4],
        }),
      ],
      assumptions: [],
    });
  });

  test('GAP-3 the manifests of the repository show the test runner', async () => {
    const at = place({ 'package.json': '{"devDependencies":{"vitest":"4"}}' });
    const { stdout } = await fermata(['issues', 'analyze', '--from-file', '-', '--json'], {
      ...at,
      input: JSON.stringify([wish]),
    });
    const { questions } = JSON.parse(stdout);
    expect(questions[0].recommended).toContain('automated tests (vitest)');
  });

  test('GAP-4 --max-questions turns the rest into assumptions', async () => {
    const args = ['issues', 'analyze', '--from-file', '-', '--json', '--max-questions', '0'];
    const { stdout } = await fermata(args, { ...place(), input: JSON.stringify([wish]) });
    const { questions, assumptions } = JSON.parse(stdout);
    expect(questions).toEqual([]);
    expect(assumptions).toEqual([
      expect.objectContaining({
        gap_type: 'acceptance_criteria',
        issues: [4],
        reason: expect.stringContaining('no questions'),
      }),
    ]);
  });

  test('GAP-1 reads a folder of Markdown files, and tells people what it found', async () => {
    const at = place({ 'package.json': '{"devDependencies":{"vitest":"4"}}' });
    const { code, stdout, stderr } = await fermata(['issues', 'analyze', '--from-dir', EXAMPLES], at);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^#2 +bug +100 +–/m);
    expect(stdout).toContain('Postmark');
    expect(stdout).toMatch(/○ .*\(recommended: .*vitest/);
    expect(stderr).toMatch(/\d of 8 issues need no question/);
  });

  test('GAP-1 --issue selects from a folder or a file, and refuses an unknown number', async () => {
    const only = async (...args: string[]) => {
      const { code, stdout } = await fermata(['issues', 'analyze', '--json', ...args], place());
      return { code, numbers: JSON.parse(stdout).issues?.map(({ number }: { number: number }) => number) };
    };
    const dir = ['--from-dir', EXAMPLES];
    expect(await only(...dir, '--issue', '4', '--issue', '#2')).toEqual({ code: 0, numbers: [2, 4] });
    const none = await fermata(['issues', 'analyze', ...dir, '--issue', '99'], place());
    expect(none.code).toBe(1);
    expect(none.stderr).toContain('has no issue #99. It has #1, #2');
    const input = JSON.stringify([wish, { ...wish, number: 77 }]);
    const read = await fermata(['issues', 'analyze', '--from-file', '-', '--issue', '77', '--json'], {
      ...place(),
      input,
    });
    expect(JSON.parse(read.stdout).issues).toMatchObject([{ number: 77 }]);
  });

  test('GAP-1 an empty output has no issues', async () => {
    const { code, stdout } = await fermata(['issues', 'analyze', '--from-file', '-', '--json'], {
      ...place(),
      input: '',
    });
    expect([code, JSON.parse(stdout)]).toEqual([0, { issues: [], questions: [], assumptions: [] }]);
  });

  test('GAP-1 reads GitHub through gh, or over the REST API if gh is missing', async () => {
    const gh = fakeGh({ stdout: JSON.stringify([wish]) });
    const through = await fermata(['issues', 'analyze', '--repo', 'o/r', '--json'], {
      ...place(),
      env: gh.env,
    });
    expect([through.code, JSON.parse(through.stdout).issues]).toEqual([
      0,
      [expect.objectContaining({ number: 4 })],
    ]);
    const api = await gitHub([{ ...wish, labels: ['x'] }]);
    const over = await fermata(['issues', 'analyze', '--repo', 'o/r', '--label', 'x', '--json'], {
      ...place(),
      env: api.env,
    });
    expect([over.code, over.stderr, JSON.parse(over.stdout).issues]).toEqual([
      0,
      '',
      [expect.objectContaining({ number: 4 })],
    ]);
  });

  test('GAP-1 CLI-EXIT-1 a refused token is reported without showing it', async () => {
    const api = await gitHub([]);
    const env = { ...api.env, GITHUB_TOKEN: 'wrong-and-long-enough' };
    const { code, stdout, stderr } = await fermata(['issues', 'analyze', '--repo', 'o/r', '--json'], {
      ...place(),
      env,
    });
    expect([code, JSON.parse(stdout).error.code]).toEqual([1, 'forbidden']);
    expect(stderr).toMatch(/HTTP 401/);
    expect(stdout + stderr).not.toContain(env.GITHUB_TOKEN);
  });

  test('GAP-1 CLI-EXIT-130 Ctrl-C ends a wait for GitHub', async () => {
    const api = await gitHub([]);
    const asked = new Promise<void>((resolve) => {
      api.replies.push(() => {
        resolve();
        return true;
      });
    });
    const running = startFermata(['issues', 'analyze', '--repo', 'o/r'], { ...place(), env: api.env });
    await asked;
    running.child.kill('SIGINT');
    expect(await running.ended).toMatchObject({ code: 130, stdout: '', stderr: 'fermata: Interrupted.\n' });
  });

  test.each([
    ['nothing that names them', [], /--repo OWNER\/NAME, --from-file FILE .* or --from-dir DIR/],
    ['a repository and a folder', ['--repo', 'o/r', '--from-dir', 'b'], /cannot be used with/],
    ['a repository that is none', ['--repo', 'o'], /--repo owner\/name/],
    ['an issue that is no number', ['--repo', 'o/r', '--issue', 'x'], /not a whole number/],
    ['both', ['--from-file', 'a', '--from-dir', 'b'], /cannot be used with/],
    [
      'a file that is not there',
      ['--from-file', 'nowhere.json'],
      /nowhere\.json cannot be read: there is no such file/,
    ],
    [
      'a file that is no JSON',
      ['--from-file', 'bad.json'],
      /bad\.json, line \d+, column \d+: not valid JSON/,
    ],
    ['a wrong entry', ['--from-file', 'wrong.json'], /wrong\.json, entry 2: title/],
    ['a folder that is not there', ['--from-dir', 'nowhere'], /the folder does not exist/],
    ['a budget that is no number', ['--from-dir', '.', '--max-questions', 'many'], /not a whole number/],
  ])('CLI-EXIT-2 %s is wrong use', async (_, args, message) => {
    const at = place({ 'bad.json': '[{', 'wrong.json': '[{"number":1,"title":"a"},{"number":2}]' });
    const { code, stdout, stderr } = await fermata(['issues', 'analyze', ...args], at);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(message);
  });

  test('GAP-2 text that would control the terminal does not reach it', async () => {
    const input = JSON.stringify([{ number: 1, title: 'Add \u001b[31mred\u001b[0m \u202emode', body: '🔥' }]);
    const { stdout } = await fermata(['issues', 'analyze', '--from-file', '-'], { ...place(), input });
    expect(stdout).not.toContain('\u001b[31m');
    expect(stdout).not.toContain('\u202e');
  });
});
