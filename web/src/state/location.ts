import { computed, signal } from '@preact/signals';
import { parseRoute } from '../route.ts';

const hash = signal(location.hash);
/** Where `go` went: its event comes later, and must not take back what was changed since. */
let gone: string | undefined;

addEventListener('hashchange', ({ newURL }) => {
  if (new URL(newURL).hash !== gone) hash.value = location.hash;
  gone = undefined;
});

// The event of a click on a link comes later too; a key that follows must not act on what was there before.
addEventListener('click', (event) => {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const href = event.target instanceof Element ? event.target.closest('a')?.getAttribute('href') : undefined;
  if (!href?.startsWith('#/')) return;
  event.preventDefault();
  go(href);
});

export const route = computed(() => parseRoute(hash.value));

export function go(href: string): void {
  // What was typed last belongs to the place that one leaves: one may come back.
  if (soon !== undefined) writeAddress();
  const before = location.hash;
  location.hash = href;
  // Where it is already there is no event.
  gone = location.hash === before ? undefined : location.hash;
  // The event comes later, and the next key may be faster.
  hash.value = href;
}

/** Changes the address without an entry in the browser's history. */
export function replaceAddress(href: string): void {
  hash.value = href;
  writeAddress();
}

const SOON_MS = 300;
let soon: ReturnType<typeof setTimeout> | undefined;

/** The same with every key that somebody types: browsers refuse to change the address as often as that. */
export function replaceAddressSoon(href: string): void {
  hash.value = href;
  clearTimeout(soon);
  soon = setTimeout(writeAddress, SOON_MS);
}

function writeAddress(): void {
  clearTimeout(soon);
  soon = undefined;
  history.replaceState(null, '', hash.peek());
}
