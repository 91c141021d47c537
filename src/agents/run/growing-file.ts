import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { sep } from 'node:path';

const CHUNK = 256 * 1024;
/** More than any session has; the rest is not read. */
const MOST_BYTES = 512 * 1024 * 1024;

/** A file that an agent program adds to. A piece of it is valid during the call of `push` only. */
export class GrowingFile {
  readonly #path: string;
  readonly #push: (chunk: Buffer) => void;
  #offset = 0;
  /** The reading before: two at once would read the same bytes twice. */
  #reading: Promise<void> = Promise.resolve();

  constructor(path: string, push: (chunk: Buffer) => void) {
    this.#path = path;
    this.#push = push;
  }

  /** Reads what was written since. */
  readOn(): Promise<void> {
    this.#reading = this.#reading.then(async () => {
      this.#offset = await readGrowth(this.#path, this.#offset, this.#push);
    });
    return this.#reading;
  }
}

/** Resolves to how far it has read. */
async function readGrowth(path: string, from: number, push: (chunk: Buffer) => void): Promise<number> {
  let readTo = from;
  // Neither a link nor a pipe that somebody has put in its place since.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(() => undefined);
  if (!file) return readTo;
  try {
    if (!(await file.stat()).isFile()) return readTo;
    const chunk = Buffer.alloc(CHUNK);
    while (readTo < MOST_BYTES) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK, readTo);
      if (bytesRead === 0) break;
      readTo += bytesRead;
      push(chunk.subarray(0, bytesRead));
    }
  } catch {
    // It cannot be read now; the next look goes on here.
  } finally {
    await file.close().catch(() => undefined);
  }
  return readTo;
}

/** Whether a file that exists is in a folder, through links too: one in the folder may point anywhere. */
export async function isKeptIn(folder: string, path: string): Promise<boolean> {
  try {
    return (await realpath(path)).startsWith(`${await realpath(folder)}${sep}`);
  } catch {
    return false; // not there
  }
}
