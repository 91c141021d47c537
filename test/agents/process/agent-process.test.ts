import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { AgentProcess } from '../../../src/agents/process/agent-process.ts';
import { agentEnvironment } from '../../../src/agents/process/environment.ts';
import { findProgram } from '../../../src/agents/process/program.ts';
import { bundledProgram } from '../../support/bundled-program.ts';

const dir = mkdtempSync(join(tmpdir(), 'fermata-process-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const env = { PATH: process.env.PATH };

const node = (code: string) =>
  new AgentProcess({ program: process.execPath, args: ['-e', code], cwd: dir, env });

async function text(running: AgentProcess): Promise<string> {
  let all = '';
  for await (const chunk of running.stdout) all += chunk;
  return all;
}

const alive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

async function untilGone(pid: number): Promise<void> {
  while (alive(pid)) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe('BIND-20 a program that the system does not start', () => {
  const start = (more: Partial<ConstructorParameters<typeof AgentProcess>[0]>) =>
    new AgentProcess({ program: process.execPath, args: ['--version'], cwd: dir, env, ...more });

  test.each([
    ['a NUL in an argument', { args: ['\0'] }, 'NUL'],
    ['a NUL in the environment', { env: { NAME: 'a\0b' } }, 'NUL'],
    ['a NUL in its folder', { cwd: `${dir}/\0` }, 'NUL'],
    ['a folder that is a file', { cwd: process.execPath }, 'not found'],
    ['a folder that does not exist', { cwd: join(dir, 'missing') }, 'not found'],
    ['an argument that is too long', { args: ['x'.repeat(200_000)] }, 'too long'],
    ['a program that does not exist', { program: join(dir, 'missing') }, 'not found'],
  ])('%s: ends with a sentence, like any other program', async (_, options, sentence) => {
    const running = start(options);
    expect(await running.ended).toEqual({
      code: 127,
      signal: null,
      notStarted: expect.stringMatching(new RegExp(`^Cannot start /.*${sentence}`)),
    });
    expect(await running.writeLine('x')).toBe(false);
    expect(await text(running)).toBe('');
    await running.stop();
  });

  test('too many open files: the caller gets the same, and its process goes on', async () => {
    const { file } = await bundledProgram(join(import.meta.dirname, 'no-files-left.ts'));
    const limited = `ulimit -n 200; exec "${process.execPath}" "${file}"`;
    const child = spawn('sh', ['-c', limited], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    for await (const chunk of child.stdout) said += chunk;
    expect(JSON.parse(said)).toEqual([expect.stringContaining('Too many files'), 0]);
  });
});

describe('DRV-6 an agent process', () => {
  test('gets lines on stdin, its stdout is read, its exit code is its own', async () => {
    const running = node(
      "process.stdin.on('data', d => process.stdout.write('got ' + d)).on('end', () => process.exit(7))",
    );
    expect(await running.writeLine('hello')).toBe(true);
    running.endInput();
    expect(await text(running)).toBe('got hello\n');
    expect(await running.ended).toEqual({ code: 7, signal: null });
  });

  test('a kill by a signal is reported as that signal', async () => {
    const running = node("process.kill(process.pid, 'SIGABRT')");
    running.stdout.resume();
    expect(await running.ended).toMatchObject({ signal: 'SIGABRT' });
  });

  test('the tail of stderr is kept, a flood of it is not', async () => {
    const running = node(
      "for (let i = 0; i < 20000; i++) process.stderr.write('x'.repeat(100) + i + '\\n'); process.stderr.write('the end')",
    );
    running.stdout.resume();
    await running.ended;
    expect(running.stderrTail.endsWith('the end')).toBe(true);
    expect(running.stderrTail.length).toBeLessThanOrEqual(16 * 1024);
  });

  test('stop sends TERM to the group, and KILL when that is ignored', async () => {
    const running = node(
      "process.on('SIGTERM', () => console.log('no')); console.log('up'); setInterval(() => {}, 1000)",
    );
    await once(running.stdout, 'data');
    const exit = await running.stop('SIGTERM', 150);
    expect(exit.signal).toBe('SIGKILL');
  });

  test('what the agent left running ends with it', async () => {
    const running = node(
      "const c = require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' }); console.log(c.pid); process.exit(0)",
    );
    const pid = Number(await text(running));
    expect(await running.ended).toEqual({ code: 0, signal: null });
    await untilGone(pid);
  });

  test('kill -9 of us kills the agent before it sees its input end', async () => {
    const log = join(dir, 'saw-end');
    writeFileSync(log, '');
    const program = await bundledProgram(join(import.meta.dirname, 'leash-parent.ts'));
    const parent = spawn(process.execPath, [program.file, log], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(parent.stdout, 'data');
    const agent = Number(String(line));
    expect(alive(agent)).toBe(true);
    parent.kill('SIGKILL');
    await untilGone(agent);
    expect(readFileSync(log, 'utf8')).toBe('');
  });
});

test('DRV-6 the environment is an allow-list, so other secrets are not passed on', () => {
  const given = agentEnvironment(
    {
      env: {
        PATH: '/bin',
        HOME: '/h',
        ANTHROPIC_API_KEY: 'k',
        AWS_SECRET_ACCESS_KEY: 's',
        GITHUB_TOKEN: 't',
        LC_ALL: 'C',
        FERMATA_STORE: 'postgres://x',
      },
      identity: { FERMATA_AGENT: 'claude' },
    },
    /^ANTHROPIC_/,
  );
  expect(given).toEqual({
    PATH: '/bin',
    HOME: '/h',
    ANTHROPIC_API_KEY: 'k',
    LC_ALL: 'C',
    SHLVL: '1',
    FERMATA_AGENT: 'claude',
  });
});

test.each([undefined, '0', '999'])(
  "an agent's shell does not read the person's .bashrc if SHLVL is %s (BIND-14)",
  async (SHLVL) => {
    writeFileSync(join(dir, '.bashrc'), 'export SECRET=from-the-rc-file\n');
    const setup = { env: { ...env, HOME: dir, SHLVL }, passes: ['SHLVL'], identity: {} };
    const given = agentEnvironment(setup, /^$/);
    const args = ['-c', 'echo "secret: $SECRET"; exit'];
    const running = new AgentProcess({ program: 'bash', args, cwd: dir, env: given });
    expect(await text(running)).toBe('secret: \n');
  },
);

test('DRV-5 a missing program is known before anything is started', () => {
  expect(findProgram('surely-not-there', process.env, dir)).toBeUndefined();
  expect(findProgram('node', process.env, dir)).toMatch(/node$/);
});

test('DRV-6 does not wait for a program that left the group on purpose, though it holds the pipes', async () => {
  const running = node(
    "const c = require('child_process').spawn('sleep', ['30'], { detached: true, stdio: 'inherit' }); console.log(c.pid); c.unref()",
  );
  const started = Date.now();
  const pid = Number(await text(running));
  await running.ended;
  expect(Date.now() - started).toBeLessThan(12_000);
  process.kill(pid, 'SIGKILL');
});
