import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openSqlite } from '../../src/ledger/engine/sqlite.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { ask, refusal } from './support/ask.ts';
import { collectGarbage } from './support/collect-garbage.ts';
import { processes } from './support/processes.ts';

const { holdLock } = processes();

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'fermata-sqlite-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  return dir;
}
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe('a ledger in a file', () => {
  it('is readable only by its owner, as is the folder that it creates', async () => {
    const dir = join(folder(), 'new', 'home');
    const file = join(dir, 'ledger.db');
    const ledger = await openLedger(file, {});
    await ledger.projects.ensure({ id: 'p', name: 'p', root: null });
    expect([dir, file, `${file}-wal`, `${file}-shm`].map(mode)).toEqual(['700', '600', '600', '600']);
    await ledger.close();
  });

  it('has its checkpoints fully flushed on macOS, too', async () => {
    const store = await openSqlite(join(folder(), 'ledger.db'));
    const rows = await store.write(null, (tx) => tx.sql('pragma checkpoint_fullfsync'));
    expect(rows).toEqual([{ checkpoint_fullfsync: 1 }]);
    await store.close();
  });

  it('is not opened in memory, where an answer would be lost', async () => {
    expect(await refusal(openLedger(':memory:', {}))).toMatchObject({ code: 'invalid' });
    expect(existsSync(':memory:')).toBe(false);
  });

  it.each(['wal', 'delete'])('of a newer version is not changed by a byte (journal: %s)', async (journal) => {
    const file = join(folder(), 'ledger.db');
    await (await openLedger(file, {})).close();
    await collectGarbage(); // the file is free once the statements are collected
    const raw = new DatabaseSync(file);
    raw.exec(`pragma wal_checkpoint(truncate); pragma journal_mode = ${journal}; pragma user_version = 999`);
    raw.close();
    const before = readFileSync(file);
    expect(await refusal(openLedger(file, {}))).toMatchObject({ code: 'newer_schema' });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('waits while another process writes', async () => {
    const file = join(folder(), 'ledger.db');
    const ledger = await openLedger(file, {});
    await ledger.projects.ensure({ id: 'p', name: 'p', root: null });
    const release = await holdLock(file);
    let done = false;
    const asking = ask(ledger, 'p').then((n) => {
      done = true;
      return n;
    });
    await new Promise((resolve) => setTimeout(resolve, 60)); // the test is about the wait
    expect(done).toBe(false);
    await release();
    expect(await ledger.notifications.get('p', (await asking).id)).toMatchObject({ status: 'open' });
    await ledger.close();
  });

  it('says so when another process holds it too long, stores nothing, and works afterwards', async () => {
    const file = join(folder(), 'ledger.db');
    const ledger = await openLedger(file, {});
    await ledger.projects.ensure({ id: 'p', name: 'p', root: null });
    const release = await holdLock(file);
    const clock = vi.spyOn(Date, 'now');
    onTestFinished(() => clock.mockRestore());
    const attempts = [ask(ledger, 'p'), ask(ledger, 'p', { sourceId: 'other' })].map(refusal);
    for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => setImmediate(resolve));
    clock.mockReturnValue(Date.now() + 60_000); // a minute later
    for (const error of await Promise.all(attempts)) {
      expect(error.code).toBe('busy');
      expect(error.message).toBe(
        `Another program has locked the ledger at ${file}. Nothing was changed; try again in a moment.`,
      );
    }
    clock.mockRestore();
    await release();
    expect(await ledger.notifications.count(['open'])).toBe(0);
    expect(await ask(ledger, 'p')).toMatchObject({ status: 'open' });
    await ledger.close();
  });

  it('LED-8 returns a page of more tasks than one statement can name', async () => {
    const file = join(folder(), 'ledger.db');
    const ledger = await openLedger(file, {});
    await ledger.projects.ensure({ id: 'p', name: 'p', root: null });
    const count = 33_000;
    const raw = new DatabaseSync(file);
    raw.exec(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
       insert into tasks (project_id, id, title, body, status, priority, position, unfinished, fence, kind, input, paused, queued, created_at, updated_at)
       select 'p', 'x' || i, 'Work', '', 'open', 2, i, 0, 0, 'task', '{}', 0, 0, 0, 0 from n`,
    );
    raw.close();
    expect(await ledger.tasks.list('p', { limit: count })).toHaveLength(count);
    await ledger.close();
  });

  it('is closed at once, whoever holds it', async () => {
    const file = join(folder(), 'ledger.db');
    const ledger = await openLedger(file, {});
    const release = await holdLock(file);
    const started = performance.now();
    await ledger.close();
    expect(performance.now() - started).toBeLessThan(5000);
    await release();
  });

  it('can be read while another process writes', async () => {
    const file = join(folder(), 'ledger.db');
    const ledger = await openLedger(file, {});
    await ledger.projects.ensure({ id: 'p', name: 'p', root: null });
    const { id } = await ask(ledger, 'p');
    const release = await holdLock(file);
    expect(await ledger.notifications.get('p', id)).toMatchObject({ status: 'open' });
    await release();
    await ledger.close();
  });

  it.each([
    [
      'is no database',
      (file: string) => writeFileSync(file, 'Dear diary, this is no ledger at all.\n'.repeat(50)),
      'damaged',
    ],
    ['is a folder', (file: string) => mkdirSync(file), 'invalid'],
  ])('that %s is refused in a sentence and left alone', async (_, make, code) => {
    const file = join(folder(), 'ledger.db');
    make(file);
    const before = statSync(file).isFile() ? readFileSync(file, 'utf8') : '';
    const error = await refusal(openLedger(file, {}));
    expect(error).toMatchObject({ code, message: expect.stringContaining(file) });
    expect(statSync(file).isFile() ? readFileSync(file, 'utf8') : '').toBe(before);
  });

  it('is refused with a clear error if its parent is not a folder', async () => {
    const notAFolder = join(folder(), 'file');
    writeFileSync(notAFolder, '');
    for (const file of [join(notAFolder, 'ledger.db'), join(notAFolder, 'deep', 'ledger.db')]) {
      expect(await refusal(openLedger(file, {}))).toMatchObject({ code: 'read_only' });
    }
  });
});
