import { closeSync, openSync, readFileSync, readSync, type Stats } from 'node:fs';
import { MARK } from './remove-blocks.ts';

/** Longer ones are only searched, piece by piece. */
const LARGEST = 64 * 1024 * 1024;
const PIECE = 1024 * 1024;
/** As far as git looks for a NUL to tell a binary file. */
const SNIFFED = 8000;
const mark = Buffer.from(MARK);

/** The bytes of a file that is text and has a mark in it; undefined for all others. */
export function readMarkedText(path: Buffer, { size }: Stats): Buffer | undefined {
  if (size < mark.length) return undefined;
  if (size <= LARGEST) {
    const bytes = readFileSync(path);
    return bytes.includes(mark) && !isBinary(bytes) ? bytes : undefined;
  }
  if (hasMark(path)) throw new Error(`it has a marker and is larger than ${LARGEST} bytes`);
  return undefined;
}

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
      if (bytes.includes(mark)) return true;
      if (bytes.length < PIECE) return false;
      at += PIECE - mark.length; // a mark may lie across two pieces
    }
  } finally {
    closeSync(file);
  }
}
