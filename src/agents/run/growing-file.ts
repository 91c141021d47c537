import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { sep } from 'node:path';

const CHUNK = 256 * 1024;
/** More than any session has; we do not read beyond it. */
const MAX_BYTES = 512 * 1024 * 1024;

/** A file that an agent program appends to. A piece is valid only during the call of `push`. */
export class GrowingFile {
  readonly #path: string;
  readonly #push: (chunk: Buffer) => void;
  #offset = 0;
  /** The previous read, because two at once would read the same bytes twice. */
  #reading: Promise<void> = Promise.resolve();

  constructor(path: string, push: (chunk: Buffer) => void) {
    this.#path = path;
    this.#push = push;
  }

  /** Reads what was written since the last call. */
  readAppended(): Promise<void> {
    this.#reading = this.#reading.then(async () => {
      this.#offset = await readGrowth(this.#path, this.#offset, this.#push);
    });
    return this.#reading;
  }
}

/** Resolves to the position it has read up to. */
async function readGrowth(path: string, from: number, push: (chunk: Buffer) => void): Promise<number> {
  let readTo = from;
  // Refuses a link or a pipe that somebody has put in its place.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(() => undefined);
  if (!file) return readTo;
  try {
    if (!(await file.stat()).isFile()) return readTo;
    const chunk = Buffer.alloc(CHUNK);
    while (readTo < MAX_BYTES) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK, readTo);
      if (bytesRead === 0) break;
      readTo += bytesRead;
      push(chunk.subarray(0, bytesRead));
    }
  } catch {
    // It cannot be read now; the next read continues here.
  } finally {
    await file.close().catch(() => undefined);
  }
  return readTo;
}

/** Whether an existing file is really in a folder: a link in the folder may point anywhere. */
export async function isKeptIn(folder: string, path: string): Promise<boolean> {
  try {
    return (await realpath(path)).startsWith(`${await realpath(folder)}${sep}`);
  } catch {
    return false; // it does not exist
  }
}
