/** Work that may start: everything that could refuse it has been checked. */
export interface Begun<T> {
  carryOut(): Promise<T>;
}
