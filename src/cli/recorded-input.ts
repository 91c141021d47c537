import { createReadStream } from 'node:fs';
import { FermataError } from '../schema/error.ts';

const CHUNK = 256 * 1024;

/** The bytes of a file, or of stdin for `-` or no name. Never loads all of them into memory. */
export async function* recordedInput(file: string | undefined): AsyncGenerator<Uint8Array, void> {
  const fromStdin = file === undefined || file === '-';
  if (fromStdin && process.stdin.isTTY) {
    throw new FermataError('invalid', 'Name a file, or pipe the text in: fermata … < FILE.');
  }
  try {
    yield* fromStdin ? process.stdin : createReadStream(file, { highWaterMark: CHUNK });
  } catch (error) {
    throw new FermataError('invalid', `${fromStdin ? 'stdin' : file} cannot be read: ${reasonOf(error)}.`, {
      cause: error,
    });
  }
}

/** The whole input, up to a limit; larger input is refused with `advice`. */
export async function wholeInput(file: string | undefined, most: number, advice: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of recordedInput(file)) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > most) {
      const name = file === undefined || file === '-' ? 'stdin' : file;
      throw new FermataError('invalid', `${name} has more than ${most} bytes. ${advice}`);
    }
  }
  return Buffer.concat(chunks);
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return reasons[code ?? ''] ?? message;
}

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'you do not have permission to read it',
};
