import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const names = readdirSync('bench').flatMap((file) => file.match(/^(.+)\.bench\.ts$/)?.[1] ?? []);

test.concurrent.each(names)('the bench %s runs with its smallest size', async (name) => {
  const args = ['scripts/bench.mjs', name, '--quick'];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout).toMatch(/\d/);
});
