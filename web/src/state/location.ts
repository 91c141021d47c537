import { computed, signal } from '@preact/signals';
import { parseRoute } from '../route.ts';

const hash = signal(location.hash);
addEventListener('hashchange', () => {
  hash.value = location.hash;
});

export const route = computed(() => parseRoute(hash.value));

export function go(href: string): void {
  location.hash = href;
  // The event comes later, and a second key may be faster.
  hash.value = href;
}

/** Changes the address without an entry in the browser's history. */
export function replaceAddress(href: string): void {
  history.replaceState(null, '', href);
  hash.value = href;
}
