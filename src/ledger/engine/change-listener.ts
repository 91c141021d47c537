import type { Client } from 'pg';

/** What every commit notifies. */
export const CHANNEL = 'fermata';
/** A lost connection or a lost hint is noticed within this time. */
const RECHECK_MS = 2000;

/** LISTEN on a separate connection, which is reopened when it is lost; a slow check covers lost hints. */
export function listenForChanges(connect: () => Client) {
  const listeners = new Set<() => void>();
  let client: Client | undefined;
  let opening: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const tell = () => {
    for (const listener of [...listeners]) listener();
  };
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
    if (listeners.size === 0) await close();
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
  const listen = (listener: () => void) => {
    listeners.add(listener);
    if (!client) open();
    timer ??= setInterval(recheck, RECHECK_MS);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) void close();
    };
  };
  const stop = async () => {
    listeners.clear();
    await opening;
    await close();
  };
  return { tell, listen, stop };
}
