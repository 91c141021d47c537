import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, type Stats } from 'node:fs';
import { isAbsent } from '../../files/open-real-folder.ts';
import { NEAR_MARK } from './remove-blocks.ts';

/** Larger files are only searched, in pieces. */
const MAX_SIZE = 64 * 1024 * 1024;
const PIECE = 1024 * 1024;
/** Git looks for a NUL in this many bytes to recognise a binary file. */
const SNIFFED = 8000;
/** The shortest and the longest text that NEAR_MARK matches. */
const [MIN_LENGTH, MAX_LENGTH] = ['[debugtemp]'.length, '[ debug-temp ]'.length];

/** A text file that contains a marker or a near miss; undefined for all others, and for links. */
export function readMarkedText(path: Buffer): { bytes: Buffer; seen: Stats } | undefined {
  const file = openFile(path);
  if (file === undefined) return undefined;
  try {
    const seen = fstatSync(file);
    if (!seen.isFile() || seen.size < MIN_LENGTH) return undefined;
    if (seen.size > MAX_SIZE) return refuseMark(file);
    const bytes = readFileSync(file);
    return !isBinary(bytes) && isMarked(bytes) ? { bytes, seen } : undefined;
  } finally {
    closeSync(file);
  }
}

/** A pipe without a writer would block. */
function openFile(path: Buffer): number | undefined {
  try {
    return openSync(path, constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

function refuseMark(file: number): undefined {
  if (hasMark(file)) throw new Error(`it has a marker but is larger than ${MAX_SIZE} bytes`);
}

const isMarked = (bytes: Buffer) => NEAR_MARK.test(bytes.toString('latin1'));

function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, SNIFFED).includes(0);
}

function hasMark(file: number): boolean {
  const piece = Buffer.alloc(PIECE);
  for (let at = 0; ; ) {
    const bytes = piece.subarray(0, readSync(file, piece, 0, PIECE, at));
    if (at === 0 && isBinary(bytes)) return false;
    if (isMarked(bytes)) return true;
    if (bytes.length < PIECE) return false;
    at += PIECE - MAX_LENGTH; // a marker may span two pieces
  }
}
