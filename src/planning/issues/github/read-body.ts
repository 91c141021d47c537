import { FermataError } from '../../../schema/error.ts';

const MOST_BYTES = 64 * 1024 * 1024;

/** Reads a response's text; one that does not end is given up before it fills the memory. */
export async function readBody(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new FermataError('invalid', 'GitHub sent more than 64 MB in one answer.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
