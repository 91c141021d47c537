import type { Ledger } from '../../ledger/ledger.ts';
import type { By } from '../../schema/actor.ts';
import type { Notification } from '../../schema/notification.ts';
import { asked, openIn } from '../asked.ts';
import { answerByFile, answerByFileNow } from './answer-by-file.ts';

export interface GateFiles {
  ledger: Ledger;
  projectId: string;
  /** Which gates are meant. */
  concerns(notification: Notification): boolean;
  /** On whose behalf a file is filled in. */
  person: By;
  tell(sentence: string): void;
}

/**
 * Takes answers from the files of open gates while work runs, including gates that an earlier process opened. Files
 * that are already filled in are read before the work begins.
 */
export async function withGateFiles<T>(files: GateFiles, work: () => Promise<T>): Promise<T> {
  const { ledger, projectId, concerns, person } = files;
  for (const each of (await openIn(ledger, projectId)).filter(concerns)) {
    if (each.gate) await answerByFileNow(ledger, each, each.gate.file, person);
  }
  const over = new AbortController();
  const following = follow(files, over.signal);
  try {
    return await work();
  } finally {
    over.abort();
    await following;
  }
}

async function follow(files: GateFiles, signal: AbortSignal): Promise<void> {
  const readers: Promise<void>[] = [];
  try {
    for await (const each of asked(files.ledger, files.projectId, files.concerns, signal))
      readers.push(untilSettled(files, each, signal));
  } catch (error) {
    // The work gets the same ledger error and reports it.
    if (!(error instanceof Error)) throw error;
  }
  await Promise.all(readers);
}

async function untilSettled(
  { ledger, person, tell }: GateFiles,
  of: Notification,
  signal: AbortSignal,
): Promise<void> {
  const path = of.gate?.file;
  if (path === undefined) return;
  const settled = new AbortController();
  const either = AbortSignal.any([signal, settled.signal]);
  try {
    const reading = answerByFile(ledger, of, path, person, either);
    await Promise.race([reading, ledger.notifications.wait(of.projectId, of.id, either)]);
    settled.abort();
    await reading;
  } catch (error) {
    if (!signal.aborted) tell(`Fermata stopped reading ${path}: ${(error as Error).message}`);
  } finally {
    settled.abort();
  }
}
