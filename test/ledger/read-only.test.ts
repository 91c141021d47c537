import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openLedger } from '../../src/ledger/ledger.ts';
import { unprivileged } from '../support/postgres-account.ts';
import { collectGarbage } from './support/collect-garbage.ts';
import { processes } from './support/processes.ts';

const { run } = processes();
/** Root may write everywhere, so these tests run as another user. */
const nobody = unprivileged();

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'fermata-read-only-'));
  chmodSync(dir, 0o755);
  onTestFinished(() => {
    chmodSync(dir, 0o755);
    rmSync(dir, { recursive: true });
  });
  return dir;
}
const told = (path: string) => ({
  code: 'read_only',
  message: expect.stringMatching(
    new RegExp(
      `^Cannot write the ledger at ${path}: .+\\. Give yourself write access, or set FERMATA_HOME to a folder you can write to\\.$`,
    ),
  ),
});

describe('a ledger that cannot be written', () => {
  it('a folder in place of a file is reported as one', async () => {
    const dir = folder();
    await expect(openLedger(dir)).rejects.toThrow(`${dir} is a folder. Pass the ledger file in it.`);
  });

  it('a read-only folder is reported', async ({ skip }) => {
    const dir = folder();
    const own = join(dir, 'own');
    mkdirSync(own);
    if (nobody.uid !== undefined) chownSync(own, nobody.uid, nobody.gid);
    const works = await run('open', join(own, 'ledger.db'), nobody).catch((error: Error) => error);
    if (works instanceof Error) skip(`another user cannot run the program here: ${works.message}`);
    chmodSync(own, 0o555);
    chmodSync(dir, 0o555);
    const path = join(dir, 'ledger.db');
    expect(await run('ask', path, nobody)).toMatchObject(told(path));
    const deeper = join(dir, 'new', 'ledger.db');
    expect(await run('ask', deeper, nobody)).toMatchObject(told(deeper));
    expect(readdirSync(dir)).toEqual(['own']);
    chmodSync(own, 0o755);
  });

  it("somebody else's ledger is reported, and not changed", async ({ skip }) => {
    if (nobody.uid === undefined) skip('only root can make a file of another user');
    const path = join(folder(), 'ledger.db');
    await (await openLedger(path, {})).close();
    await collectGarbage();
    chmodSync(path, 0o644);
    expect(await run('ask', path, nobody)).toMatchObject(told(path));
    const ledger = await openLedger(path, {});
    expect(await ledger.projects.list()).toEqual([]);
    await ledger.close();
  });
});
