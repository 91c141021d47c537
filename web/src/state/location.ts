import { computed, signal } from '@preact/signals';
import { parseRoute } from '../route.ts';

const hash = signal(location.hash);
/** The target of `go`: its event comes later and must not undo later changes. */
let gone: string | undefined;

addEventListener('hashchange', ({ newURL }) => {
  if (new URL(newURL).hash !== gone) hash.value = location.hash;
  gone = undefined;
});

// The event of a click on a link comes later too, and a keystroke before it must not act on the old page.
addEventListener('click', (event) => {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const href = event.target instanceof Element ? event.target.closest('a')?.getAttribute('href') : undefined;
  if (!href?.startsWith('#/')) return;
  event.preventDefault();
  go(href);
});

export const route = computed(() => parseRoute(hash.value));

export function go(href: string): void {
  // The last keystrokes belong to the page that is being left, because the person may return.
  if (soon !== undefined) writeAddress();
  const before = location.hash;
  location.hash = href;
  // There is no event if the address does not change.
  gone = location.hash === before ? undefined : location.hash;
  // The event comes later, and the next keystroke may be faster.
  hash.value = href;
}

/** Changes the address without an entry in the browser's history. */
export function replaceAddress(href: string): void {
  hash.value = href;
  writeAddress();
}

const SOON_MS = 300;
let soon: ReturnType<typeof setTimeout> | undefined;

/** Like `replaceAddress`, delayed, because browsers refuse to change the address with every keystroke. */
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
