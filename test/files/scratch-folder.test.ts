import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { inScratchFolder } from '../../src/files/scratch-folder.ts';
import { freshFolder } from '../support/fermata.ts';

test('RUN-2 OPS-5 a temporary folder is removed if its process was killed, and never under a live one, whatever the clock says', async () => {
  const parent = freshFolder();
  const dead = spawnSync(process.execPath, ['-e', '0']).pid;
  const used = await inScratchFolder(parent, 'fermata-x-', async (live) => {
    const killed = live.replace(`-${process.pid}-`, `-${dead}-`);
    const elsewhere = join(parent, `fermata-x-elsewhere-${dead}-a`);
    for (const folder of [killed, elsewhere]) mkdirSync(folder);
    vi.useFakeTimers({ now: Date.now() + 24 * 60 * 60_000, toFake: ['Date'] });
    try {
      await inScratchFolder(parent, 'fermata-x-', async () => undefined);
    } finally {
      vi.useRealTimers();
    }
    expect(readdirSync(parent).sort()).toEqual([basename(live), basename(elsewhere)].sort());
    return live;
  });
  expect(existsSync(used)).toBe(false);
});
