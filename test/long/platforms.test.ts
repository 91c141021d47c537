import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, test } from 'vitest';
import { onDisk } from '../support/keep-on-disk.ts';
import { awkwardFolder, folderIgnoringCase, linkedFolder } from '../support/platforms/folders.ts';
import { likeMacOs, preloaded } from '../support/platforms/preloads.ts';
import { runSuites } from '../support/platforms/run-suites.ts';
import { give, unprivileged } from '../support/postgres-account.ts';

const SUITES = ['test/agents/', 'test/ledger/', 'test/cli/run/', 'test/cli/demo.test.ts'];
/** The sandbox of an agent exists on Linux only, and it hides the files that are preloaded. */
const WITHOUT_SANDBOX = [...SUITES, '--exclude', '**/cli/run/*sandbox.test.ts'];
const HOUR = 3_600_000;

/** A folder that everybody may enter. */
function place(): string {
  const folder = mkdtempSync(join(onDisk(), 'fermata-platform-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  return folder;
}

test.each([
  ['kill answers EPERM for a group of zombies', preloaded('zombie-groups.cjs')],
  ['there is no /proc', preloaded('no-proc.cjs')],
  ['all that is different on macOS is so', likeMacOs],
])('the suites of agents, ledger, run and demo pass where %s', { timeout: HOUR }, async (_, env) => {
  await runSuites(WITHOUT_SANDBOX, env);
});

test.each([
  ['has a blank and a ü in its path', awkwardFolder],
  ['is a link', linkedFolder],
])('they pass if the temporary folder %s', { timeout: HOUR }, async (_, make) => {
  await runSuites(SUITES, { TMPDIR: make(place()) });
});

test('they pass on a case-insensitive disk', { timeout: HOUR }, async ({ skip }) => {
  const found = folderIgnoringCase(place());
  if (typeof found === 'string') return skip(found);
  onTestFinished(found.remove);
  await runSuites(SUITES, { TMPDIR: found.folder });
});

test('they pass for a user without root', { timeout: HOUR }, async ({ skip }) => {
  const account = unprivileged();
  if (!('uid' in account)) return skip('this user is one, so every test shows it');
  const home = join(place(), 'home');
  mkdirSync(home);
  give(home, account);
  await runSuites(SUITES, { HOME: home, TMPDIR: home }, account);
});
