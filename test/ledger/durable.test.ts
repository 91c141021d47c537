import fs, { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openLedger } from '../../src/ledger/ledger.ts';
import { replaceFs } from '../support/replaced-fs.ts';
import { ask, refusal } from './support/ask.ts';

type Sync = (file: number, done: (error: Error | null) => void) => void;

/** Replaces the flush to disk until the test ends. */
const setDisk = (sync: Sync) =>
  replaceFs({ fdatasync: Object.assign(sync, { __promisify__: async () => undefined }) });

async function start() {
  const dir = mkdtempSync(join(tmpdir(), 'fermata-durable-'));
  const ledger = await openLedger(join(dir, 'ledger.db'), {});
  onTestFinished(async () => {
    await ledger.close();
    rmSync(dir, { recursive: true });
  });
  const { id: project } = await ledger.projects.ensure({ id: 'p', name: 'p', root: null });
  return { ledger, project };
}

/** A disk that finishes only when the test says so. */
function slowDisk() {
  const waiting: (() => void)[] = [];
  setDisk((_file, done) => waiting.push(() => done(null)));
  const turn = () => vi.waitFor(() => expect(waiting.length).toBeGreaterThan(0));
  const finish = () => {
    for (const done of waiting.splice(0)) done();
  };
  return { turn, finish, flushes: () => waiting.length };
}

describe('a confirmed write', () => {
  it('LED-3 is on disk: nobody gets a confirmation before the flush ends', async () => {
    const { ledger, project } = await start();
    const { turn, finish } = slowDisk();
    let told = false;
    const asked = ask(ledger, project, { questions: ['Which colour?'] }).then(() => {
      told = true;
    });
    await turn();
    expect(told).toBe(false);
    finish();
    await asked;
    expect(told).toBe(true);
  });

  it('LED-3 shares the next flush with others that arrive during a flush', async () => {
    const { ledger, project } = await start();
    const { turn, finish, flushes } = slowDisk();
    const first = ask(ledger, project, { sourceId: 's0', questions: ['Which colour?'] });
    await turn();
    const others = Array.from({ length: 20 }, (_, n) =>
      ask(ledger, project, { sourceId: `s${n + 1}`, questions: ['Which colour?'] }),
    );
    await vi.waitFor(async () => expect(await ledger.notifications.count(['open'])).toBe(21));
    expect(flushes()).toBe(1);
    finish();
    await first;
    await turn();
    expect(flushes()).toBe(1);
    finish();
    expect(new Set((await Promise.all(others)).map(({ id }) => id)).size).toBe(20);
  });

  it('LED-3 is on disk even if it belongs to no project, and the ledger closes only after that', async () => {
    const { ledger } = await start();
    const { turn, finish } = slowDisk();
    const order: string[] = [];
    const made = ledger.credentials.makeToken({ name: 'ci', role: 'human' }).then(() => order.push('told'));
    await turn();
    const closed = ledger.close().then(() => order.push('closed'));
    expect(order).toEqual([]);
    finish();
    await Promise.all([made, closed]);
    expect(order).toEqual(['told', 'closed']);
  });

  it('LED-3 fails for everyone who waits if the disk fails, and the next flush is tried again', async () => {
    const { ledger, project } = await start();
    const { fdatasync } = fs;
    setDisk((_file, done) => done(new Error('EIO: i/o error, fdatasync')));
    const attempt = (n: number) => ask(ledger, project, { sourceId: `s${n}`, questions: ['Which colour?'] });
    for (const failed of [refusal(attempt(1)), refusal(attempt(2))]) {
      expect(await failed).toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('could not be flushed to disk (EIO'),
      });
    }
    replaceFs({ fdatasync });
    expect((await attempt(1)).status).toBe('open');
  });
});
