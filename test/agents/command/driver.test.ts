import { chmodSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { commandDriver } from '../../../src/agents/command/driver.ts';
import type { AgentSetup } from '../../../src/agents/driver.ts';
import { findDriver } from '../../../src/agents/registry.ts';
import { agentNames } from '../../../src/schema/agent-name.ts';
import { untilDeserted } from '../../support/processes.ts';

/** Runs this JavaScript as the agent, in its own folder, where no process may be left after the test. */
function program(code: string, more: Partial<AgentSetup> = {}): AgentSetup {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'fermata-command-')));
  const file = join(cwd, 'agent');
  writeFileSync(file, `#!${process.execPath}\n${code}\n`);
  chmodSync(file, 0o755);
  onTestFinished(async () => {
    await untilDeserted(cwd);
    rmSync(cwd, { recursive: true, force: true });
  });
  return { cwd, env: { PATH: process.env.PATH, SECRET: 's' }, program: file, mustAsk: false, ...more };
}

async function play(setup: AgentSetup, prompt = 'Plan it') {
  const run = commandDriver.start(setup, prompt);
  const texts: string[] = [];
  for await (const event of run.events) if (event.kind === 'text') texts.push(event.text);
  return { ...(await run.ended), heard: texts.join('') };
}

const echo = 'process.stdin.pipe(process.stdout)';

describe('DRV-1 any program as an agent', () => {
  test('gets the prompt on stdin, whatever is in it, and its output is the answer', async () => {
    const prompt = 'Plan "it": $(rm -rf /) `x`\n— ünïcode 🎼\n'.repeat(3000);
    const end = await play(program(echo), prompt);
    expect(end).toMatchObject({ reason: 'ok', text: prompt, heard: prompt, exitCode: 0, signal: null });
  });

  test('keeps characters whole that are split across chunks', async () => {
    const code =
      "const b = Buffer.from('a🎼b'); process.stdout.write(b.subarray(0, 3)); setTimeout(() => process.stdout.write(b.subarray(3)), 30)";
    expect(await play(program(code))).toMatchObject({ text: 'a🎼b' });
  });

  test('gets its arguments, its identity, and only the environment variables that it needs', async () => {
    const code =
      'console.log(JSON.stringify([process.argv.slice(2), process.env.SECRET, process.env.FERMATA_AGENT]))';
    const setup = program(code, { args: ['--fast', 'a b'], identity: { FERMATA_AGENT: 'command' } });
    expect(JSON.parse((await play(setup)).text)).toEqual([['--fast', 'a b'], null, 'command']);
  });

  test.each<[string, string, Partial<AgentSetup>, object, RegExp]>([
    [
      'an exit code',
      "process.stderr.write('no key'); process.exit(3)",
      {},
      { reason: 'failed', exitCode: 3 },
      /exit code 3.* It said: no key/,
    ],
    [
      'a crash',
      "process.kill(process.pid, 'SIGABRT')",
      {},
      { reason: 'crashed', signal: 'SIGABRT' },
      /killed by SIGABRT/,
    ],
    [
      'no answer',
      "process.stdout.write('  \\n')",
      {},
      { reason: 'no_result', exitCode: 0 },
      /ended without an answer/,
    ],
    [
      'no end',
      'setInterval(() => {}, 1000)',
      { timeoutMs: 300 },
      { reason: 'timed_out' },
      /Fermata stopped .+ because it worked for more than 0\.3 s/,
    ],
    [
      'too much',
      "const x = 'x'.repeat(1e6); (function f() { process.stdout.write(x, f) })()",
      {},
      { reason: 'failed' },
      /wrote more than 16777216 bytes and was stopped/,
    ],
  ])('STR-6 %s is told apart', async (_, code, more, end, message) => {
    expect(await play(program(code, more))).toMatchObject({
      ...end,
      message: expect.stringMatching(message),
    });
  });

  test('STR-6 keeps what it wrote before it failed', async () => {
    expect(await play(program("process.stdout.write('half', () => process.exit(1))"))).toMatchObject({
      reason: 'failed',
      text: 'half',
    });
  });

  test('DRV-6 is stopped and interrupted with everything that it started', async () => {
    const code =
      "require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' }); console.log('up'); setInterval(() => {}, 1000)";
    for (const [end, reason] of [
      ['stop', 'stopped'],
      ['interrupt', 'interrupted'],
    ] as const) {
      const setup = program(code);
      const run = commandDriver.start(setup, '');
      for await (const event of run.events) if (event.kind === 'text') void run[end]();
      expect(await run.ended).toMatchObject({ reason });
    }
  });

  test('DRV-6 does not mind a program that does not read its prompt', async () => {
    expect(
      await play(program("process.stdin.destroy(); console.log('done')"), 'x'.repeat(1e6)),
    ).toMatchObject({ reason: 'ok', text: 'done\n' });
  });

  test('DRV-5 cannot ask, and needs a program', async () => {
    const setup = program(echo, { mustAsk: true });
    expect(await play(setup)).toMatchObject({
      reason: 'cannot_ask',
      message: expect.stringContaining('cannot ask here'),
    });
    expect(await play({ ...setup, mustAsk: false, program: undefined })).toMatchObject({
      reason: 'missing',
      message: 'The agent "command" needs a program. Pass it with --agent-command PROGRAM.',
    });
    symlinkSync('endless', join(setup.cwd, 'endless'));
    expect(await play({ ...setup, mustAsk: false, program: './endless' })).toMatchObject({
      reason: 'missing',
      message: expect.stringContaining('Program "./endless" not found'),
    });
  });
});

describe('DRV-1 the drivers by name', () => {
  test('each is found under its own name', async () => {
    for (const name of agentNames) expect((await findDriver(name)).name).toBe(name);
  });

  test('an unknown name is an error that lists them', async () => {
    const names = agentNames.join(', ');
    for (const name of ['cluade', 'constructor'])
      await expect(findDriver(name)).rejects.toThrow(`Unknown agent "${name}". Choose one of ${names}.`);
  });
});
