import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fermata, freshFolder, spawnFermata } from '../support/fermata.ts';

const readers = [
  ['inbox'],
  ['answer'],
  ['answer', 'n-1', 'yes'],
  ['withdraw', 'n-1'],
  ['events'],
  ['decisions'],
  ['tasks'],
  ['tasks', 'close', 't1'],
  ['feedback', 'list'],
];

test('CLI-EXIT-2 a misspelt --store does not create a ledger: commands that read or answer report it', async () => {
  const cwd = freshFolder();
  const made = await spawnFermata(['tasks', 'add', 'Paint', '--store', 'ledger.db'], { cwd });
  expect(made).toMatchObject({ code: 0, stdout: 't1\n' });
  expect(made.stderr).toContain(`Created a new ledger: ${join(cwd, 'ledger.db')} (--store).`);
  const again = await spawnFermata(['tasks', 'add', 'Dry', '--store', 'ledger.db'], { cwd });
  expect(again.stderr).not.toContain('new ledger');
  const files = readdirSync(cwd);
  for (const args of readers) {
    const { code, stderr } = await fermata([...args, '--store', 'legder.db'], { cwd });
    expect(code, args.join(' ')).toBe(2);
    expect(stderr).toContain(`There is no ledger at ${join(cwd, 'legder.db')} (--store).`);
    expect(stderr).toContain(`Did you mean ${join(cwd, 'ledger.db')}?`);
  }
  const env = { FERMATA_STORE: 'legder.db' };
  expect(await fermata(['inbox'], { cwd, env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('(FERMATA_STORE)'),
  });
  for (const looks of ['config', 'doctor']) {
    const { stdout, stderr } = await fermata([looks], { cwd, env });
    expect(stdout + stderr).toMatch(/legder\.db (yet|does not exist yet)/);
  }
  expect(readdirSync(cwd)).toEqual(files);
});

test('the ledger in its usual place is created silently', async () => {
  const cwd = freshFolder();
  const env = { FERMATA_HOME: join(cwd, '..', 'home') };
  const { code, stderr } = await fermata(['inbox'], { cwd, env });
  expect(code).toBe(0);
  expect(stderr).not.toContain('ledger');
});
