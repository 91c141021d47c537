import { type FSWatcher, lstatSync, readFileSync, watch } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { YamlFault } from '../../files/parse-yaml.ts';
import { makeFolder, writeAtOnce } from '../../files/write-at-once.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { isFinal } from '../../ledger/notifications/notification-machine.ts';
import type { By } from '../../schema/actor.ts';
import { FermataError } from '../../schema/error.ts';
import type { Notification } from '../../schema/notification.ts';
import { describeOutcome } from '../present.ts';
import { readGateFile, withEnd, withProblems } from './read.ts';

/** Creates the file of a notification unless it exists, so that nothing a person has written is lost. */
export function ensureGateFile(path: string, text: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) replaceFile(path, text);
}

/** Takes the answer from a file as soon as it says `done: true`, until the signal. Problems are written into the file. */
export async function answerByFile(
  ledger: Ledger,
  of: Notification,
  path: string,
  by: By,
  signal: AbortSignal,
): Promise<void> {
  for await (const text of fileVersions(path, signal)) {
    if (await takeText(ledger, of, path, text, by)) return;
  }
}

/** Like `answerByFile`, for the current content only. */
export async function answerByFileNow(ledger: Ledger, of: Notification, path: string, by: By): Promise<void> {
  const text = readText(path);
  if (text !== undefined) await takeText(ledger, of, path, text, by);
}

/** True if there is nothing more to take from this file. */
async function takeText(
  ledger: Ledger,
  { projectId, id }: Notification,
  path: string,
  text: string,
  by: By,
): Promise<boolean> {
  const reading = readGateFile(await ledger.notifications.get(projectId, id), text);
  if (reading.kind === 'open') return false;
  if (reading.kind === 'wrong') {
    rewrite(path, text, withProblems(text, reading.problems));
    return false;
  }
  try {
    await ledger.notifications.resolve(projectId, id, { responses: reading.responses }, by);
    return true;
  } catch (error) {
    if (!(error instanceof FermataError)) throw error;
    if (error.code === 'invalid' || error.code === 'forbidden') {
      rewrite(path, text, withProblems(text, [placed(error, reading.places)]));
      return false;
    }
    if (error.code !== 'conflict' && error.code !== 'gone') throw error;
    rewrite(path, text, withEnd(text, `Too late. ${error.message}`));
    return true;
  }
}

/** Writes into the file how its gate was settled, for anyone who opens it later. */
export function closeGateFile(notification: Notification): void {
  const path = notification.gate?.file;
  const text = path === undefined ? undefined : readText(path);
  if (path === undefined || text === undefined || !isFinal(notification.status)) return;
  const at = notification.resolvedAt ?? '';
  rewrite(
    path,
    text,
    withEnd(text, `Settled at ${at} by ${describeOutcome(notification)}. Changes here have no effect.`),
  );
}

/** A refusal of the ledger, with the place in the file that it is about. */
function placed({ message, details }: FermataError, places: Map<string, YamlFault>): YamlFault {
  const about = details as { question?: string; mains?: string[] } | undefined;
  const key = about?.question ?? about?.mains?.at(-1) ?? [...places.keys()][0] ?? '';
  return { line: 1, column: 1, ...places.get(key), message };
}

/** Leaves a file alone that changed since it was read, because its next version is read anyway. */
function rewrite(path: string, before: string, after: string): void {
  if (after !== before && readText(path) === before) replaceFile(path, after);
}

export function replaceFile(path: string, text: string): void {
  makeFolder(dirname(path));
  writeAtOnce(path, text, 0o600);
}

const MAX_SIZE = 4 * 1024 * 1024;
/** Editors write in pieces, so a text counts only after it has not changed for this long. */
const SETTLE_MS = 60;
/** Polling interval, because many network drives report no changes. */
const LOOK_MS = 500;

/** Each version of a file's text, starting with the current one, until the signal. Skips half-written versions. */
async function* fileVersions(path: string, signal: AbortSignal): AsyncGenerator<string, void> {
  const change = changes(path, signal);
  let last: string | undefined;
  try {
    while (!signal.aborted) {
      const changed = change.next();
      const text = readText(path);
      if (text !== undefined && text !== last) {
        await sleep(SETTLE_MS);
        if (readText(path) !== text) continue;
        last = text;
        yield text;
        continue;
      }
      await changed;
    }
  } finally {
    change.stop();
  }
}

/** The text of a file; undefined if it cannot be read. */
function readText(path: string): string | undefined {
  try {
    const there = lstatSync(path);
    return there.isFile() && there.size <= MAX_SIZE ? readFileSync(path, 'utf8') : undefined;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EBUSY', 'EPERM'].includes(code)) return undefined;
    throw error;
  }
}

/** Watches the folder, not the file, because many editors replace the file with a new one. */
function changes(path: string, signal: AbortSignal): { next(): Promise<void>; stop(): void } {
  let wake: () => void = () => undefined;
  const tell = () => wake();
  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(dirname(path), { persistent: false }, tell).on('error', () => watcher?.close());
  } catch (error) {
    // Out of watches: polling is enough.
    if (!(error instanceof Error)) throw error;
  }
  const timer = setInterval(tell, LOOK_MS);
  signal.addEventListener('abort', tell);
  return {
    next: () =>
      new Promise((resolve) => {
        wake = resolve;
        if (signal.aborted) resolve();
      }),
    stop() {
      watcher?.close();
      clearInterval(timer);
      signal.removeEventListener('abort', tell);
    },
  };
}
