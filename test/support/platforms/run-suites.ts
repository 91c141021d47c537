import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'vitest';
import { onDisk } from '../keep-on-disk.ts';
import type { Account } from '../postgres-account.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** Set for these tests, but not for those that they run. */
const outermost = {
  FERMATA_LONG: '',
  FERMATA_TALLY: undefined,
  FERMATA_HOME: undefined,
  FERMATA_TEST_DISK: undefined,
};

/** Runs vitest with these arguments in another environment, or as another user, and expects all tests to pass. */
export async function runSuites(
  args: readonly string[],
  env: Record<string, string>,
  account: Account = {},
): Promise<void> {
  const program = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [program, 'run', '--no-cache', ...args], {
    ...account,
    cwd: ROOT,
    env: { ...process.env, ...outermost, TMPDIR: onDisk(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (output = (output + chunk).slice(-20_000)));
  const [code] = await once(child, 'close');
  expect(code, output).toBe(0);
}
