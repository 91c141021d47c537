import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** Less would hardly get smaller. */
const LEAST_BYTES = 1024;
const compress = promisify(gzip);

/**
 * The response as it travels to a client that takes gzip: JSON of some length is compressed. Files of the page are compressed
 * when they are built, and streams are left alone.
 */
export async function compressed(request: Request, response: Response): Promise<Response> {
  const { headers, status } = response;
  const isJson = headers.get('content-type')?.startsWith('application/json') ?? false;
  if (request.method !== 'GET' || !isJson || headers.has('content-encoding')) return response;
  if (!/\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')) return response;
  const body = Buffer.from(await response.arrayBuffer());
  const isLong = body.byteLength >= LEAST_BYTES;
  const sent = isLong ? await compress(body) : body;
  const changed = new Headers(headers);
  changed.append('vary', 'accept-encoding');
  if (isLong) changed.set('content-encoding', 'gzip');
  changed.set('content-length', String(sent.byteLength));
  return new Response(sent, { status, headers: changed });
}
