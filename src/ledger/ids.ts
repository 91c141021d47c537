import { randomBytes } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * A short id that a person can type, such as `n-4k7qz2m9t1`: no letters that look like digits. Its first two letters are
 * those of the second in which it is made, so that what is stored together lies together in an index; the next second
 * has others, so that the beginning of an id is soon enough of it. The other 40 bits are random.
 */
export function newId(prefix: string): string {
  const moment = (Math.floor(Date.now() / 1000) % 1024) * SCATTER;
  let id = `${prefix}-${alphabet[(moment >> 5) & 31]}${alphabet[moment & 31]}`;
  for (const byte of take(8)) id += alphabet[byte & 31];
  return id;
}

/** Odd, so that 1024 seconds have 1024 beginnings; large, so that those of neighbours do not look alike. */
const SCATTER = 397;

let stock = randomBytes(0);

/** Random bytes from a stock: one call into the system for many ids. */
function take(count: number): Buffer {
  if (stock.length < count) stock = randomBytes(1000);
  const taken = stock.subarray(0, count);
  stock = stock.subarray(count);
  return taken;
}
