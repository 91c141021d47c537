import type { Connection } from './sqlite-runner.ts';

/** How often the change counter is read while somebody listens: well inside 100 ms, and about 10 µs of work. */
const POLL_MS = 25;

/** Watches SQLite's change counter, which changes with every commit of another connection or process. Our own commits are reported directly. */
export function watchCounter(connection: Connection) {
  let statement: ReturnType<Connection['prepare']> | undefined = connection.prepare('pragma data_version');
  /** Not a number if it cannot be read. That counts as a change, and the next reader gets the error. */
  const counter = () => {
    try {
      return (statement?.get() as { data_version: number } | undefined)?.data_version;
    } catch {
      return Number.NaN;
    }
  };
  const listeners = new Set<() => void>();
  let seen = counter();
  let timer: NodeJS.Timeout | undefined;

  const tell = () => {
    for (const listener of [...listeners]) listener();
  };
  const check = () => {
    const now = counter();
    if (now === seen) return;
    seen = now;
    tell();
  };
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };
  const listen = (listener: () => void) => {
    listeners.add(listener);
    timer ??= setInterval(check, POLL_MS);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) stop();
    };
  };
  const forget = () => {
    statement = undefined;
  };
  return { tell, listen, stop, forget };
}
