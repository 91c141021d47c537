import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, type Stats } from 'node:fs';
import { isAbsent } from '../../files/open-inside.ts';
import { NEAR_MARK } from './remove-blocks.ts';

/** Larger files are not read. */
const MAX_SIZE = 64 * 1024 * 1024;
/** Git looks for a NUL in this many bytes to recognise a binary file. */
const SNIFFED = 8000;
/** The shortest text that NEAR_MARK matches. */
const MIN_LENGTH = '[debugtemp]'.length;

export class TooLarge extends Error {}

/** A text file that contains a marker or a near miss; undefined for all others, and for links. */
export function readMarkedText(path: Buffer): { bytes: Buffer; seen: Stats } | undefined {
  const file = openFile(path);
  if (file === undefined) return undefined;
  try {
    const seen = fstatSync(file);
    if (!seen.isFile() || seen.size < MIN_LENGTH) return undefined;
    const start = Buffer.alloc(SNIFFED);
    if (start.subarray(0, readSync(file, start, 0, SNIFFED, 0)).includes(0)) return undefined;
    if (seen.size > MAX_SIZE) throw new TooLarge(`it is larger than ${MAX_SIZE / 1024 / 1024} MB`);
    const bytes = readFileSync(file);
    return NEAR_MARK.test(bytes.toString('latin1')) ? { bytes, seen } : undefined;
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
