/** Real agents wait most of the time. */
export const AT_ONCE = 5;

/** Plays several scenes of one test at once. */
export async function inBatches<T>(all: readonly T[], play: (each: T) => Promise<void>): Promise<void> {
  for (let from = 0; from < all.length; from += AT_ONCE) {
    await Promise.all(all.slice(from, from + AT_ONCE).map(play));
  }
}
