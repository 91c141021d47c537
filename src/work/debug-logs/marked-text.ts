import { closeSync, openSync, readFileSync, readSync, type Stats } from 'node:fs';
import { NEAR_MARK } from './remove-blocks.ts';

/** Larger files are only searched, in pieces. */
const MAX_SIZE = 64 * 1024 * 1024;
const PIECE = 1024 * 1024;
/** Git looks for a NUL in this many bytes to recognise a binary file. */
const SNIFFED = 8000;
/** The shortest and the longest text that NEAR_MARK matches. */
const [MIN_LENGTH, MAX_LENGTH] = ['[debugtemp]'.length, '[ debug-temp ]'.length];

/** The bytes of a text file that contains a marker or a near miss; undefined for all others. */
export function readMarkedText(path: Buffer, { size }: Stats): Buffer | undefined {
  if (size < MIN_LENGTH) return undefined;
  if (size <= MAX_SIZE) {
    const bytes = readFileSync(path);
    return !isBinary(bytes) && isMarked(bytes) ? bytes : undefined;
  }
  if (hasMark(path)) throw new Error(`it has a marker but is larger than ${MAX_SIZE} bytes`);
  return undefined;
}

const isMarked = (bytes: Buffer) => NEAR_MARK.test(bytes.toString('latin1'));

function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, SNIFFED).includes(0);
}

function hasMark(path: Buffer): boolean {
  const file = openSync(path, 'r');
  try {
    const piece = Buffer.alloc(PIECE);
    for (let at = 0; ; ) {
      const bytes = piece.subarray(0, readSync(file, piece, 0, PIECE, at));
      if (at === 0 && isBinary(bytes)) return false;
      if (isMarked(bytes)) return true;
      if (bytes.length < PIECE) return false;
      at += PIECE - MAX_LENGTH; // a marker may span two pieces
    }
  } finally {
    closeSync(file);
  }
}
