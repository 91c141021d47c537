import { signal } from '@preact/signals';

const TICK_MS = 5000;
/** No timer is this late while the machine is awake. */
const SLEPT_MS = 30_000;

/** The time, for "waits 12 min". */
export const now = signal(Date.now());

const wakers = new Set<() => void>();

/** Calls back after the machine slept, or when this page returns to the foreground or goes online. */
export function onWake(waker: () => void): void {
  wakers.add(waker);
}

export function wake(): void {
  for (const waker of wakers) waker();
}

export function startClock(): void {
  setInterval(() => {
    const slept = Date.now() - now.peek() > SLEPT_MS;
    now.value = Date.now();
    if (slept) wake();
  }, TICK_MS);
  addEventListener('online', wake);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') wake();
  });
}
