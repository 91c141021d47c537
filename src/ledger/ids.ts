import { randomBytes } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * A short id that a person can type, such as `n-4k7qz2m9t1`, without letters that look like digits. Three letters encode
 * the time, so that rows stored together are close in an index: two for the second, one for the 32nd part of it. The
 * letters of the next second are very different, so a few characters are enough to identify an id. The other 35 bits are
 * random.
 */
export function newId(prefix: string): string {
  const now = Date.now();
  const second = (Math.floor(now / 1000) % 1024) * SCATTER;
  const part = Math.floor(((now % 1000) * 32) / 1000);
  let id = `${prefix}-${letter(second >> 5)}${letter(second)}${letter(part)}`;
  for (const byte of take(7)) id += letter(byte);
  return id;
}

const letter = (number: number) => alphabet[number & 31];

/** Odd, so that 1024 seconds have 1024 beginnings; large, so that neighbouring ones do not look alike. */
const SCATTER = 397;

let stock = randomBytes(0);

/** Takes random bytes from a buffer, so that one system call serves many ids. */
function take(count: number): Buffer {
  if (stock.length < count) stock = randomBytes(1000);
  const taken = stock.subarray(0, count);
  stock = stock.subarray(count);
  return taken;
}
