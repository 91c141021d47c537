import fs, { copyFileSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Ledger, openLedger } from '../../src/ledger/ledger.ts';
import { replaceFs } from '../support/replaced-fs.ts';
import { ask, refusal } from './support/ask.ts';
import { processes } from './support/processes.ts';
import { onSqlite } from './support/stores.ts';

const { run } = processes();

async function start() {
  const dir = mkdtempSync(join(tmpdir(), 'fermata-lost-'));
  const file = join(dir, 'ledger.db');
  const ledger = await openLedger(file, {});
  onTestFinished(async () => {
    await ledger.close();
    rmSync(dir, { recursive: true });
  });
  await ledger.projects.ensure({ id: 'p', name: 'p', root: null });
  return { dir, file, ledger };
}

const asked = (ledger: Ledger, n: number) =>
  ask(ledger, 'p', { sourceId: `s${n}`, questions: [`Number ${n}?`] });

describe('a ledger whose file is lost', () => {
  it('OPS-2 confirms nothing more if its log was deleted, and saves what it confirmed', async () => {
    const { file, ledger } = await start();
    for (const n of [1, 2, 3]) await asked(ledger, n);
    rmSync(`${file}-wal`);
    for (const n of [4, 5]) {
      const error = await refusal(asked(ledger, n));
      expect(error).toMatchObject({ code: 'damaged', message: expect.stringContaining(`${file}-wal was`) });
      expect(error.message).toContain('is saved');
    }
    expect(await run('open-questions', file)).toBe(3);
  });

  it('OPS-2 does not touch a log that another program has begun', async () => {
    const { file, ledger } = await start();
    await asked(ledger, 1);
    rmSync(`${file}-wal`);
    rmSync(`${file}-shm`);
    await run('ask', file).catch(() => undefined);
    expect((await refusal(asked(ledger, 2))).message).toContain('may be lost');
  });

  it.each([
    ['replaced', (file: string, other: string) => renameSync(other, file)],
    ['deleted', (file: string) => rmSync(file)],
    ['moved away', (file: string) => renameSync(file, `${file}.old`)],
  ])('OPS-2 confirms and reads nothing more if the file was %s', async (_, lose) => {
    const { dir, file, ledger } = await start();
    await asked(ledger, 1);
    const other = join(dir, 'other.db');
    copyFileSync(file, other);
    lose(file, other);
    const lost = { code: 'damaged', message: expect.stringContaining(`${file} was replaced or deleted`) };
    expect(await refusal(asked(ledger, 2))).toMatchObject(lost);
    expect(await refusal(ledger.projects.list())).toMatchObject(lost);
  });

  it('OPS-2 tells who waits for an answer', async () => {
    const { file, ledger } = await start();
    const { id } = await asked(ledger, 1);
    const waiting = refusal(ledger.notifications.wait('p', id));
    renameSync(file, `${file}.old`);
    expect(await waiting).toMatchObject({ code: 'damaged' });
  });

  it('OPS-4 never confirms what a failed flush left, until it is in the file', async () => {
    const { file, ledger } = await start();
    const { fdatasync } = fs;
    const sizes: number[] = [];
    let fail: ((error: Error) => void) | undefined;
    const disk = (_: number, done: (error: Error | null) => void) => {
      sizes.push(statSync(`${file}-wal`).size);
      if (sizes.length === 1) fail = done;
      else done(null);
    };
    replaceFs({ fdatasync: Object.assign(disk, { __promisify__: async () => undefined }) });
    const first = refusal(asked(ledger, 1));
    await vi.waitFor(() => expect(sizes).toHaveLength(1));
    const during = refusal(asked(ledger, 2));
    await vi.waitFor(async () => expect(await ledger.notifications.count(['open'])).toBe(2));
    fail?.(new Error('EIO: i/o error, fdatasync'));
    for (const error of await Promise.all([first, during])) {
      expect(error).toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('could not be flushed'),
      });
    }
    await asked(ledger, 3);
    replaceFs({ fdatasync });
    expect(sizes).toHaveLength(2);
    expect(sizes[1]).toBeLessThanOrEqual(sizes[0] ?? 0);
    expect(await run('open-questions', file)).toBe(3);
  });
});

describe('a file that a newer version upgrades', () => {
  onSqlite((store) => {
    it('OPS-2 is not written any more', async () => {
      const { ledger, project } = await store.start();
      await store.sql('pragma user_version = 99');
      expect(await refusal(ask(ledger, project))).toMatchObject({ code: 'newer_schema' });
      await store.sql('pragma user_version = 1');
      expect(await ask(ledger, project)).toMatchObject({ status: 'open' });
    });
  });
});
