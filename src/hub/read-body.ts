import type { IncomingMessage } from 'node:http';
import { FermataError } from '../schema/error.ts';
import { limits } from '../schema/limits.ts';

/** The largest notification fits, however its JSON is written. */
const MAX_BODY_SIZE = 2 * limits.notificationBytes;

/** Far deeper than any valid body, but far below the stack limit. */
const DEEPEST = 200;

/** The JSON body of a request, bounded; undefined if it is empty. */
export async function readJson(incoming: IncomingMessage, most = MAX_BODY_SIZE): Promise<unknown> {
  const bytes = await readBytes(incoming, most);
  if (bytes.length === 0) return undefined;
  if (bytes.length > DEEPEST && isDeeperThan(DEEPEST, bytes))
    throw new FermataError('invalid', `The body has more than ${DEEPEST} nesting levels.`);
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (cause) {
    throw new FermataError('invalid', `The body is not valid JSON: ${(cause as Error).message}.`, { cause });
  }
}

export function readBytes(incoming: IncomingMessage, most = MAX_BODY_SIZE): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(incoming.headers['content-length'] ?? 0) > most) return reject(tooLarge(most));
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= most) chunks.push(chunk);
      else reject(tooLarge(most));
    });
    incoming.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    const brokenOff = () => {
      if (!incoming.complete) reject(new FermataError('invalid', 'The request was aborted.'));
    };
    incoming.on('error', brokenOff);
    incoming.on('close', brokenOff);
  });
}

function tooLarge(most: number): FermataError {
  return new FermataError('too_large', `The body is larger than ${most} bytes.`);
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const opening = new Set([0x5b, 0x7b]);
const closing = new Set([0x5d, 0x7d]);

/** Whether a JSON text has more than `most` nesting levels, because each costs a recursive reader one call. */
function isDeeperThan(most: number, json: Uint8Array): boolean {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] ?? 0;
    if (inText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (opening.has(byte)) {
      if (++depth > most) return true;
    } else if (closing.has(byte)) depth--;
  }
  return false;
}
