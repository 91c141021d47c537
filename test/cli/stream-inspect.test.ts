import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assistant, fixture, init, lines, says } from '../agents/stream/support/fixture.ts';
import { fermata, freshFolder, startFermata } from '../support/fermata.ts';
import { longTest } from '../support/long-test.ts';

const inspect = (args: string[], options: Parameters<typeof fermata>[1] = {}) =>
  fermata(['stream', 'inspect', ...args], options);

function recorded(name: string): { cwd: string; file: string } {
  const cwd = freshFolder();
  writeFileSync(join(cwd, 'run.jsonl'), fixture(name));
  return { cwd, file: 'run.jsonl' };
}

describe('CLI-stream-inspect', () => {
  test('STR-3 prints one document in the agreed shape', async () => {
    const { cwd, file } = recorded('claude-allow-answers');
    const { code, stdout, stderr } = await inspect([file, '--format', 'json'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      session_id: '11111111-2222-4333-8444-555555555555',
      result: 'ok',
      questions: [
        {
          tool_use_id: 'ask-1',
          question: 'Which colour?',
          header: 'Colour',
          options: [
            { label: 'Red', description: 'Warm' },
            { label: 'Blue', description: 'Cold' },
          ],
          multi: false,
        },
        {
          tool_use_id: 'ask-1',
          question: 'Which sizes?',
          header: 'Sizes',
          options: [
            { label: 'Small', description: 'S' },
            { label: 'Large', description: 'L' },
          ],
          multi: true,
        },
      ],
      text: 'Two things first.\n\nRed it is.',
      usage: {
        input_tokens: 20,
        output_tokens: 8,
        cache_read_input_tokens: 0,
        cache_creation_input_tokens: 0,
      },
      skipped_lines: 0,
      errors: [],
    });
  });

  test.each([
    ['-', ['-']],
    ['nothing', []],
  ])('reads stdin if the file is %s', async (_, args) => {
    const input = fixture('codex-exec-failed').toString();
    const { code, stdout } = await inspect([...args, '--json'], { input });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ result: 'error', errors: ['No model.'] });
  });

  test('detects which agent printed the output, or takes --from', async () => {
    const input = fixture('gemini-ask').toString();
    const found = await inspect(['--json'], { input });
    expect(JSON.parse(found.stdout)).toMatchObject({
      result: 'ok',
      text: 'One thing first.\n\nI guess red.',
    });
    const told = await inspect(['--json', '--from', 'gemini'], { input });
    expect(told.stdout).toBe(found.stdout);
    const wrong = await inspect(['--json', '--from', 'codex'], { input });
    expect(JSON.parse(wrong.stdout)).toMatchObject({ session_id: null, result: 'unfinished', text: '' });
  });

  test('STR-6 an unfinished or empty recording is reported as such', async () => {
    const { code, stdout } = await inspect(['--json'], { input: '' });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      session_id: null,
      result: 'unfinished',
      questions: [],
      text: '',
    });
  });

  test('shows a person the same, without anything that controls a terminal', async () => {
    const evil = '\u001b[2Jboo';
    const asks = {
      type: 'tool_use',
      id: 'a',
      name: 'AskUserQuestion',
      input: { questions: [{ question: `Which ${evil}?`, options: [{ label: evil, description: 'why' }] }] },
    };
    const input = `${lines(init({ model: evil }), assistant([asks]), says(evil))}garbage ${evil}\n`;
    const { code, stdout } = await inspect([], { input });
    expect(code).toBe(0);
    expect(stdout).not.toContain('\u001b');
    expect(stdout).toMatch(/^session {3}11111111-/);
    expect(stdout).toContain('end       unfinished: there is no result');
    expect(stdout).toContain('skipped   1 lines that could not be read');
    expect(stdout).toContain('not JSON: garbage ␛[2Jboo');
    expect(stdout).toContain('Which ␛[2Jboo? (open)\n  ○ ␛[2Jboo: why');
  });

  test.each([
    ['a sub-agent’s question with its lineage', 'claude-sub-agent', 'by a sub-agent (task-1 › task-2)'],
    ['a parked run', 'claude-deferred', 'parked on a question'],
    ['an interrupted run', 'claude-interrupted', 'end       interrupted'],
    ['a failed run', 'claude-api-error', 'end       failed: API Error: 400 no'],
    ['several turns and the cost', 'claude-two-turns', 'finished, after 2 turns'],
    ['figures that include earlier runs', 'codex-exec', '(since the session began)'],
    ['what the agent warned of', 'codex-exec', 'warning   Nothing bad.'],
  ])('shows a person %s', async (_, name, shown) => {
    const { cwd, file } = recorded(name);
    const { code, stdout } = await inspect([file], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain(shown);
  });

  test('CLI-EXIT-2 unreadable input gets a clear message', async () => {
    const cwd = freshFolder();
    mkdirSync(join(cwd, 'folder'));
    const missing = await inspect(['none.jsonl'], { cwd });
    expect(missing).toEqual({
      code: 2,
      stdout: '',
      stderr: 'fermata: none.jsonl cannot be read: there is no such file.\n',
    });
    const folder = await inspect(['folder', '--json'], { cwd });
    expect(folder.code).toBe(2);
    expect(JSON.parse(folder.stdout).error.message).toBe('folder cannot be read: it is a folder.');
    expect((await inspect(['x', '--from', 'cursor'], { cwd })).stderr).toContain(
      'Allowed choices are claude, codex',
    );
  });

  longTest('STR-7 a long recording is streamed, and an endless line is dropped', async () => {
    const running = startFermata(['stream', 'inspect', '--json'], {
      env: { NODE_OPTIONS: '--max-old-space-size=64' },
    });
    const { stdin } = running.child;
    const write = (chunk: string | Buffer) =>
      new Promise<void>((resolve) => (stdin?.write(chunk) ? resolve() : stdin?.once('drain', resolve)));
    await write(lines(init()));
    const many = Buffer.from(lines(says('a message of the agent')).repeat(5000));
    for (let i = 0; i < 100; i++) await write(many);
    const part = Buffer.alloc(1024 * 1024, 'x');
    for (let i = 0; i < 60; i++) await write(part);
    stdin?.end(`\n${lines({ type: 'result', result: 'end', usage: { input_tokens: 1, output_tokens: 2 } })}`);
    const { code, stdout, stderr } = await running.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ result: 'ok', skipped_lines: 1, usage: { output_tokens: 2 } });
  });
});
