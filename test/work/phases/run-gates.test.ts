import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Gate } from '../../../src/plan/grammar/plan.ts';
import { runGates } from '../../../src/work/phases/run-gates.ts';

const cwd = mkdtempSync(join(tmpdir(), 'fermata-gates-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const gate = (command: string | null): Gate => ({
  name: 'g',
  command,
  covers: [],
  line: 1,
  span: { line: 1, column: 1, length: 1 },
});
const run = async (command: string | null, timeoutMs = 60_000, signal?: AbortSignal) => {
  const [result] = await runGates([gate(command)], cwd, { timeoutMs, ...(signal ? { signal } : {}) });
  return result;
};

describe('CMD-4 Fermata runs the gate commands', () => {
  test('in a shell, as written, and keeps their output', async () => {
    expect(await run('echo out; echo err >&2; cd / && test "$PWD" = /')).toMatchObject({
      passed: true,
      exit_code: 0,
      output: 'out\nerr\n',
    });
    expect(await run('set -o pipefail; false | cat')).toMatchObject({ passed: false, problem: 'failed' });
    expect(await run('exit 7')).toMatchObject({ passed: false, problem: 'failed', exit_code: 7 });
    expect(await run('kill -9 $$')).toMatchObject({ passed: false, problem: 'killed' });
    expect(await run(null)).toMatchObject({ passed: false, problem: 'no_command' });
  });

  test.each([undefined, '0', '-5', 'x', '999', '2'])(
    "without the person's .bashrc if SHLVL is %s (BIND-14)",
    async (SHLVL) => {
      const before = process.env;
      writeFileSync(join(cwd, '.bashrc'), 'echo from the rc file\n');
      process.env = { ...before, HOME: cwd, SHLVL };
      try {
        expect(await run('bash -c "echo out"')).toMatchObject({ passed: true, output: 'out\n' });
      } finally {
        process.env = before;
      }
    },
  );

  test('and ends one that hangs, with everything that it started', async () => {
    const result = await run('sleep 300 & echo $! > pid; trap "" TERM; wait; sleep 300', 3000);
    expect(result).toMatchObject({ passed: false, problem: 'timed_out' });
    const pid = Number(readFileSync(join(cwd, 'pid'), 'utf8'));
    expect(() => process.kill(pid, 0)).toThrow();
  });

  test('and gives no input to one that waits for it', async () => {
    expect(await run('cat; echo over')).toMatchObject({ passed: true, output: 'over\n' });
  });

  test('and keeps the beginning and the end of endless output', async () => {
    const result = await run('echo first; head -c 5000000 /dev/zero | tr "\\0" x; echo; echo last');
    expect(result?.passed).toBe(true);
    expect(result?.output).toMatch(/^first\n/);
    expect(result?.output).toMatch(/… \d+ bytes omitted …/);
    expect(result?.output).toMatch(/\nlast\n$/);
    expect(result?.output.length).toBeLessThan(70_000);
  });

  test('until an interruption ends the current one and skips the rest', async () => {
    const stop = new AbortController();
    const runs = runGates(
      [gate('echo begun; sleep 300'), gate('true')],
      cwd,
      { timeoutMs: 60_000, signal: stop.signal },
      () => {
        setTimeout(() => stop.abort(), 200);
      },
    );
    expect(await runs).toMatchObject([{ problem: 'interrupted' }]);
  });
});
