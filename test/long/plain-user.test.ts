import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fermata } from '../support/fermata.ts';
import { awkwardFolder, linkedFolder } from '../support/platforms/folders.ts';
import { give, unprivileged } from '../support/postgres-account.ts';

/** A folder of this user's own, reached through a link, whose path has a blank and a letter outside ASCII. */
function placeOf(account: ReturnType<typeof unprivileged>): string {
  const own = mkdtempSync(join(tmpdir(), 'fermata-user-'));
  onTestFinished(() => rmSync(own, { recursive: true, force: true }));
  chmodSync(own, 0o755);
  const link = linkedFolder(awkwardFolder(own));
  give(link, account);
  return link;
}

test('the demo runs for a user without root whose folders are links with a blank and a ü in them', async () => {
  const account = unprivileged();
  const place = placeOf(account);
  const temporary = join(place, 'tmp');
  mkdirSync(temporary);
  give(temporary, account);
  const result = await fermata(['demo', '--headless', '--folder', join(place, 'demo'), '--json'], {
    account,
    cwd: place,
    env: { HOME: place, TMPDIR: temporary, FERMATA_HOME: undefined },
    limitMs: 240_000,
  });
  expect(result.code, result.stderr).toBe(0);
  expect(JSON.parse(result.stdout)).toMatchObject({ tests_passed: true });
}, 300_000);
