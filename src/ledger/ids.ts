import { randomBytes } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** A short random id that a person can type, such as `n-4k7qz2m9t1`: 50 bits, no letters that look like digits. */
export function newId(prefix: string): string {
  let id = '';
  for (const byte of take(10)) id += alphabet[byte & 31];
  return `${prefix}-${id}`;
}

let stock = randomBytes(0);

/** Random bytes from a stock: one call into the system for many ids. */
function take(count: number): Buffer {
  if (stock.length < count) stock = randomBytes(1000);
  const taken = stock.subarray(0, count);
  stock = stock.subarray(count);
  return taken;
}
