import type { IncomingMessage } from 'node:http';
import { FermataError } from '../schema/error.ts';
import { limits } from '../schema/limits.ts';

/** A notification of the largest size fits, however its JSON is written. */
const LARGEST_BODY = 2 * limits.notificationBytes;

/** The JSON of a request, bounded; undefined where there is none. */
export async function readJson(incoming: IncomingMessage): Promise<unknown> {
  const declared = Number(incoming.headers['content-length'] ?? 0);
  if (declared > LARGEST_BODY) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_BODY) throw tooLarge();
    chunks.push(chunk);
  }
  if (size === 0) return undefined;
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch (cause) {
    throw new FermataError('invalid', `The body is no JSON: ${(cause as Error).message}.`, { cause });
  }
}

function tooLarge(): FermataError {
  return new FermataError('too_large', `The body is larger than ${LARGEST_BODY} bytes.`);
}
