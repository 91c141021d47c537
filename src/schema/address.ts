/** Whether a store is on PostgreSQL, and not a file. */
export const isServer = (store: string) => /^postgres(ql)?:\/\//.test(store);

/**
 * A store's address as it may be shown or committed: a password, anywhere in it, becomes `…`. If a password contains
 * characters of a URL, this hides too much rather than too little.
 */
export function withoutPassword(store: string): string {
  if (!isServer(store)) return store;
  return store
    .replace(/^([a-z]+:\/\/[^:@/]*):.*@/i, '$1:…@')
    .replace(/([?&](?:ssl)?password=)[^&#]*/gi, '$1…');
}

/** Whether the `hostname` of a URL is this machine. */
export const isLoopback = (hostname: string) => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
