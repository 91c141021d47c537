import type { IncomingMessage } from 'node:http';
import { FermataError } from '../../schema/error.ts';

/** Whom a request is for: as its target says where that is a whole URL, else its `Host` header, of which there is one. */
export function hostOf({ url = '', headers, rawHeaders }: IncomingMessage): string | undefined {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (isHost(rawHeaders[at])) hosts++;
  if (hosts > 1) throw new FermataError('invalid', 'A request has one "Host" header, not several.');
  if (url.startsWith('/')) return headers.host;
  return /^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? headers.host;
}

const isHost = (name: string | undefined) => name?.length === 4 && name.toLowerCase() === 'host';
