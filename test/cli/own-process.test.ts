import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { fermata, freshFolder, type Options, spawnFermata } from '../support/fermata.ts';
import { longTest } from '../support/long-test.ts';

/** Options that keep a command from waiting. */
const more: Record<string, string[]> = { serve: ['--port', 'none'], worker: ['--slots', 'none'] };

/** Each ends in another way: with a result, a message, its help, a usage error, a failure, without a terminal, or at the end of stdin. */
const often = ['schema', 'inbox', 'plan', 'ask', 'knowledge', 'run', 'demo', 'mcp'];
const names = commands.map(({ name }) => name);

// Most tests run commands within their own process; here each command runs both ways.
const title = '%s says the same in a process of its own as in that of the tests';
test.each(names.filter((name) => often.includes(name)))(title, saysTheSame);
longTest.each(names.filter((name) => !often.includes(name)))(title, saysTheSame);

async function saysTheSame(name: string): Promise<void> {
  const args = [name, ...(more[name] ?? [])];
  const own = await inFreshPlace(spawnFermata, args);
  expect(own.code).not.toBe(null);
  expect(await inFreshPlace(fermata, args)).toEqual(own);
}

async function inFreshPlace(run: typeof fermata, args: string[]) {
  const cwd = freshFolder();
  const place = dirname(cwd);
  const at: Options = { cwd, env: { FERMATA_HOME: join(place, 'home') } };
  const { code, stdout, stderr } = await run(args, at);
  const said = (text: string) => text.replaceAll(place, '/place').replaceAll(/p-[\da-f]{12}/g, 'p-OF-FOLDER');
  return { code, stdout: said(stdout), stderr: said(stderr) };
}
