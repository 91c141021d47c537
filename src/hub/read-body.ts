import type { IncomingMessage } from 'node:http';
import { FermataError } from '../schema/error.ts';
import { limits } from '../schema/limits.ts';
import { isDeeperThan } from './json-depth.ts';

/** A notification of the largest size fits, however its JSON is written. */
const LARGEST_BODY = 2 * limits.notificationBytes;

/** Far more than any body has, far less than a stack has room for. */
const DEEPEST = 200;

/** The JSON of a request, bounded; undefined where there is none. */
export async function readJson(incoming: IncomingMessage, most = LARGEST_BODY): Promise<unknown> {
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

export function readBytes(incoming: IncomingMessage, most = LARGEST_BODY): Promise<Buffer> {
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
