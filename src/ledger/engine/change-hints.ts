import type { Client } from 'pg';
import type { Connection } from './runners.ts';

/** How often the change counter is read while somebody listens: well inside 100 ms, and about 10 µs of work. */
const POLL_MS = 25;
/** What every commit notifies. */
export const CHANNEL = 'fermata';
/** A lost connection or a lost hint is noticed within this time. */
const RECHECK_MS = 2000;

/** Those who want to know of changes; `start` is called with each of them, and `stop` after the last one left. */
function listeners(start: () => void, stop: () => void) {
  const all = new Set<() => void>();
  return {
    tell() {
      for (const listener of [...all]) listener();
    },
    listen(listener: () => void) {
      all.add(listener);
      start();
      return () => {
        all.delete(listener);
        if (all.size === 0) stop();
      };
    },
    clear: () => all.clear(),
    isEmpty: () => all.size === 0,
  };
}

/**
 * Watches SQLite's change counter, which changes with every commit of another connection or process. Our own commits are
 * reported directly. If the file is lost, it says so once, and the next reader gets the error.
 */
export function watchCounter(connection: Connection, isLost: () => boolean) {
  let statement: ReturnType<Connection['prepare']> | undefined = connection.prepare('pragma data_version');
  /** Not a number if it cannot be read. That counts as a change, and the next reader gets the error. */
  const counter = () => {
    if (isLost()) return 'lost';
    try {
      return (statement?.get() as { data_version: number } | undefined)?.data_version;
    } catch {
      return Number.NaN;
    }
  };
  let seen = counter();
  let timer: NodeJS.Timeout | undefined;
  const check = () => {
    const now = counter();
    if (now === seen) return;
    seen = now;
    tell();
  };
  const start = () => {
    timer ??= setInterval(check, POLL_MS);
  };
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };
  const { tell, listen } = listeners(start, stop);
  const forget = () => {
    statement = undefined;
  };
  return { tell, listen, stop, forget };
}

/** LISTEN on a separate connection, which is reopened when it is lost; a slow check covers lost hints. */
export function listenForChanges(connect: () => Client) {
  let client: Client | undefined;
  let opening: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const open = () => {
    opening ??= openOne().finally(() => {
      opening = undefined;
    });
  };
  const openOne = async () => {
    const next = connect();
    next.on('error', () => drop(next));
    next.on('end', () => drop(next));
    next.on('notification', tell);
    try {
      await next.connect();
      await next.query(`listen ${CHANNEL}`);
      client = next;
      tell();
    } catch {
      await next.end().catch(() => undefined);
    }
    if (isEmpty()) await close();
  };
  const drop = (lost: Client) => {
    if (client === lost) client = undefined;
  };
  const close = async () => {
    const last = client;
    client = undefined;
    clearInterval(timer);
    timer = undefined;
    await last?.end();
  };
  const recheck = () => {
    if (!client) open();
    tell();
  };
  const start = () => {
    if (!client) open();
    timer ??= setInterval(recheck, RECHECK_MS);
  };
  const { tell, listen, clear, isEmpty } = listeners(start, () => void close());
  const stop = async () => {
    clear();
    await opening;
    await close();
  };
  return { tell, listen, stop };
}
