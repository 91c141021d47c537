import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BIN, environment, fermata, freshFolder, type Options } from '../support/fermata.ts';
import { longTest } from '../support/long-test.ts';
import { planRepository } from './run/support/plan-repository.ts';

/** Runs a printed command as a person would paste it, with a value for each placeholder. */
function pasted(command: string, { cwd, env }: Options): string {
  const line = command.replace(/^fermata/, `"${process.execPath}" "${BIN}"`).replaceAll('VALUE', 'green');
  return execFileSync('sh', ['-c', line], {
    cwd,
    env: environment(env) as NodeJS.ProcessEnv,
    encoding: 'utf8',
  });
}

const command = (text: string, pattern: RegExp) =>
  text.match(pattern)?.[1] ?? `nothing like ${pattern}: ${text}`;

test('CLI-ask the printed command to continue works when it is pasted, wherever the ledger and the project are', async () => {
  const at = { cwd: freshFolder() };
  const place = ['--store', 'my ledger.db', '--project', 'web shop'];
  const { stderr } = await fermata(['ask', 'Which?', '--timeout', '0.1', ...place], at);
  expect(pasted(command(stderr, /with: (fermata answer .*)/), at)).toMatch(/^Stored: n-\S+ green\n$/);
  const again = await fermata(['ask', 'And this?', '--timeout', '0.1', ...place], at);
  expect(pasted(command(again.stderr, /"(fermata withdraw [^"]*)"/), at)).toMatch(/^Withdrawn/);
  await fermata(['tasks', 'add', 'Paint', '--id', 'paint', ...place], at);
  await fermata(['tasks', 'close', 'paint', ...place], at);
  const closed = await fermata(['tasks', 'block', 'paint', '--reason', 'x', ...place], at);
  expect(pasted(command(closed.stderr, /first: (fermata tasks reopen .*)/), at)).toContain('paint');
});

longTest(
  'CLI-run RUN-2 the commands that a run prints, on stderr and at its end, work too',
  async () => {
    const place = planRepository([
      {
        id: '1',
        steps: [
          { do: 'ask', questions: [{ id: 'q', question: 'Which colour?' }] },
          { do: 'write', path: 'a.txt', content: '{{answer:q}}\n' },
        ],
      },
    ]);
    const held = await place.run('--store', join('..', 'my ledger.db'));
    expect(held.code, held.stderr).toBe(3);
    const asked = command(held.stderr, /(fermata answer .*)/);
    expect(asked).toContain("--store '../my ledger.db'");
    expect(pasted(asked, place.at)).toMatch(/^Stored/);
    expect(pasted(command(held.stdout, /with: (fermata run .*)/), place.at)).toContain(
      '1 of 1 phases of shop are done',
    );
  },
  240_000,
);

test('CLI-ask a password in the address of a store is not repeated', async () => {
  const store = 'postgres://me:hunter2@127.0.0.1:1/x';
  const { stderr } = await fermata(['ask', ' ', '--store', store], { cwd: freshFolder() });
  expect(stderr).toContain("fermata ask --store 'postgres://me:…@127.0.0.1:1/x' TEXT");
});
