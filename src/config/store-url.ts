export const isServer = (store: string) => /^postgres(ql)?:\/\//.test(store);

/** A store's address as it may be shown or committed: a password, anywhere in it, becomes `…`. */
export function withoutPassword(store: string): string {
  if (!isServer(store)) return store;
  return store
    .replace(/^([a-z]+:\/\/[^:@/?#]*):[^?#]+@/, '$1:…@')
    .replace(/([?&](?:ssl)?password=)[^&#]+/gi, '$1…');
}
