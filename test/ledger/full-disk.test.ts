import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openLedger } from '../../src/ledger/ledger.ts';
import { answers, ask, history, refusal } from './support/ask.ts';
import { ann } from './support/people.ts';
import { processes } from './support/processes.ts';

/** Every connection of the ledger, so that a test can set how many pages its file may have. */
const disk = vi.hoisted(() => ({ connections: [] as { exec(sql: string): void }[] }));
// Test files of one worker share modules, so these are loaded for this file, and again for the next one.
vi.hoisted(() => vi.resetModules());
afterAll(() => {
  vi.doUnmock('@photostructure/sqlite');
  vi.resetModules();
});
vi.mock('@photostructure/sqlite', async (original) => {
  const driver = await original<typeof import('@photostructure/sqlite')>();
  class Connection extends driver.DatabaseSync {
    constructor(path: string) {
      super(path);
      disk.connections.push(this);
    }
  }
  return { ...driver, DatabaseSync: Connection };
});
const setDisk = (pages: number) => disk.connections[0]?.exec(`pragma max_page_count = ${pages}`);
beforeEach(() => {
  disk.connections.length = 0;
});

const { run } = processes();

function file(): string {
  const dir = mkdtempSync(join(tmpdir(), 'fermata-disk-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  return join(dir, 'ledger.db');
}
const long = (n: number) => `${n} ${'x'.repeat(60_000)}`;
const told = (path: string) => ({
  code: 'disk_full',
  message: expect.stringMatching(
    new RegExp(
      `^The disk is full: the ledger at ${path} could not be written \\(.+\\)\\. Nothing was changed; free some space and try again\\.$`,
    ),
  ),
});

describe('a full disk', () => {
  it('LED-3 is reported, loses nothing that was confirmed, and ends when there is space', async () => {
    const path = file();
    const ledger = await openLedger(path, {});
    await ledger.projects.ensure({ id: 'p', name: 'p', root: null });
    const kept = await ask(ledger, 'p');
    setDisk(1); // no page more than it has
    let stored = 0;
    const fill = async () => {
      for (;;) await ask(ledger, 'p', { sourceId: `s${++stored}`, questions: [long(stored)] });
    };
    expect(await refusal(fill())).toMatchObject(told(path));
    expect(await history(ledger, 'p')).toHaveLength(stored);
    const tooLong = ledger.notifications.resolve('p', kept.id, answers({ q1: long(0).repeat(4) }), ann);
    expect(await refusal(tooLong)).toMatchObject({ code: 'disk_full' });
    expect(await ledger.notifications.get('p', kept.id)).toEqual(kept);
    setDisk(100_000);
    await ledger.notifications.resolve('p', kept.id, answers({ q1: 'yes' }), ann);
    expect((await history(ledger, 'p')).map((e) => e.number)).toEqual(
      Array.from({ length: stored + 1 }, (_, n) => n + 1),
    );
    await ledger.close();
  });

  it('LED-3 is reported to each of those that share a commit', async () => {
    const path = file();
    const ledger = await openLedger(path, {});
    await ledger.projects.ensure({ id: 'p', name: 'p', root: null });
    await ask(ledger, 'p');
    setDisk(1);
    const attempts = Array.from({ length: 10 }, (_, n) =>
      ask(ledger, 'p', { sourceId: `s${n}`, questions: [long(n), long(-n)] }),
    );
    const results = await Promise.allSettled(attempts);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject(told(path));
    }
    const kept = results.filter((r) => r.status === 'fulfilled').length;
    expect(kept).toBeLessThan(10);
    expect((await history(ledger, 'p')).map((e) => e.number)).toEqual(
      Array.from({ length: kept + 1 }, (_, n) => n + 1),
    );
    setDisk(100_000);
    await ask(ledger, 'p', { sourceId: 'later' });
    await ledger.close();
  });

  it('LED-3 at the last moment before the commit leaves no question, and the same command works later', async () => {
    const path = file();
    await run('open', path);
    const env = { FERMATA_CRASH_AT: 'write.before-commit=ENOSPC' };
    expect(await run('ask', path, { env })).toMatchObject(told(path));
    const id = await run('ask', path);
    expect(await run('answer', path, { env })).toMatchObject(told(path));
    const ledger = await openLedger(path, {});
    expect((await ledger.notifications.list({ projectId: 'p' })).notifications.map((n) => n.id)).toEqual([
      id,
    ]);
    expect(await history(ledger, 'p')).toHaveLength(1);
    await ledger.close();
    expect(await run('answer', path)).toBe('answered');
  });
});
