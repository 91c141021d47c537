import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openLedger } from '../../src/ledger/ledger.ts';
import type { Notification } from '../../src/schema/notification.ts';
import { fermata, type Options } from './fermata.ts';

/** The open questions of this project, or of all projects. */
export async function inbox(at: Options, ...args: string[]): Promise<Notification[]> {
  return JSON.parse((await fermata(['inbox', '--json', ...args], at)).stdout).notifications;
}

/** The open questions of this home's only project, or those of `inbox`. Reads a ledger file with a single project directly, which takes a tenth of the time. */
export async function openQuestions(at: Options): Promise<Notification[]> {
  const { FERMATA_HOME: home, FERMATA_STORE: store } = at.env ?? {};
  const file = join(home ?? '', 'ledger.db');
  if (!home || store || !existsSync(file)) return inbox(at);
  const ledger = await openLedger(file);
  try {
    if ((await ledger.projects.list()).length < 2) return (await ledger.notifications.list()).notifications;
  } finally {
    await ledger.close();
  }
  return inbox(at);
}

/** Waits until another process asks, and returns the question. */
export function asked(at: Options, isMeant = (_: Notification) => true): Promise<Notification> {
  return untilLedger(at, async () => (await openQuestions(at)).find(isMeant));
}

/**
 * Looks at once, and again after each write to the ledger: a look may be a whole command, and without a pause it would
 * take the processor from the program it waits for. Polls a remote store once a second.
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
