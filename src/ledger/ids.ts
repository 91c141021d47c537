import { randomBytes } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * A short id that a person can type, such as `n-4k7qz2m9t1`, without letters that look like digits. Three letters encode
 * the time, so that rows stored together are close in an index: two for the second, one for the 32nd part of it. The
 * letters of the next second are very different, so a few characters are enough to identify an id. The other 35 bits are
 * random, but grow within each 32nd part of a second: rows with the same time are sorted by id, and questions that a
 * process asks within one millisecond must stay in order.
 */
export function newId(prefix: string): string {
  const now = Date.now();
  const second = (Math.floor(now / 1000) % 1024) * SCATTER;
  const part = Math.floor(((now % 1000) * 32) / 1000);
  const moment = letter(second >> 5) + letter(second) + letter(part);
  const tail = moment === last.moment ? last.tail + 1 + random(STEP) : random(FIRST_TAIL);
  last = { moment, tail };
  return `${prefix}-${moment}${letters(tail)}`;
}

let last = { moment: '', tail: 0 };
const FIRST_TAIL = 2 ** 34;
/** Leaves room for about 8,000 ids. */
const STEP = 2 ** 22;

const letter = (number: number) => alphabet.charAt(number & 31);

/** Seven, for 35 bits. */
function letters(number: number): string {
  let text = '';
  for (let rest = number, n = 0; n < 7; n++, rest = Math.floor(rest / 32)) text = letter(rest % 32) + text;
  return text;
}

/** Odd, so that 1024 seconds have 1024 beginnings; large, so that neighbouring ones do not look alike. */
const SCATTER = 397;

let stock = randomBytes(0);

/** A random number below a power of two, of at most 40 bits. One system call serves many. */
function random(limit: number): number {
  if (stock.length < 5) stock = randomBytes(1000);
  const number = stock.readUIntBE(0, 5) % limit;
  stock = stock.subarray(5);
  return number;
}

/** How each secret that we make begins, so that redaction and secret scanners recognise it. */
export const SECRET_PREFIX = 'fermata_';

/** 256 random bits. */
export const newSecret = () => SECRET_PREFIX + randomBytes(32).toString('base64url');
