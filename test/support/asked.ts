import { statSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Notification } from '../../src/schema/notification.ts';
import { fermata, type Options } from './fermata.ts';

/** The open questions of this project, or of all projects. */
export async function inbox(at: Options, ...args: string[]): Promise<Notification[]> {
  return JSON.parse((await fermata(['inbox', '--json', ...args], at)).stdout).notifications;
}

/** Waits until another process asks, and returns the question. */
export function asked(at: Options, isMeant = (_: Notification) => true): Promise<Notification> {
  return untilLedger(at, async () => (await inbox(at)).find(isMeant));
}

/**
 * Looks at once, and again after each write to the ledger: a look is a whole command, and without a pause it would take
 * the processor from the program it waits for. Polls a remote store once a second.
 */
export async function untilLedger<T>(at: Options, look: () => Promise<T | undefined>): Promise<T> {
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
  });
  for (let before = ''; !isOver; await new Promise((resolve) => setTimeout(resolve, 20))) {
    const now = writtenAt(at.env?.FERMATA_HOME ?? '');
    if (now === before) continue;
    before = now;
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new Error('It did not happen while the test ran.');
}

function writtenAt(home: string): string {
  const files = ['ledger.db', 'ledger.db-wal'].map((name) =>
    statSync(join(home, name), { throwIfNoEntry: false }),
  );
  return [Math.floor(Date.now() / 1000), ...files.map((file) => `${file?.mtimeMs} ${file?.size}`)].join();
}
