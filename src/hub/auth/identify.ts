import type { HubRequest } from '../http/message.ts';
import type { HubParts } from '../parts.ts';
import { requireOrigin } from './allowed-hosts.ts';
import { authenticate } from './authenticate.ts';
import type { Caller } from './caller.ts';

/** Who sent it. What a cookie alone proves must also come from our own page, where it changes something. */
export async function identify({ incoming, method }: HubRequest, { door }: HubParts): Promise<Caller> {
  const { authorization, cookie, origin } = incoming.headers;
  const caller = await authenticate(door, { authorization, cookie });
  if (caller.by === 'cookie' && method !== 'GET') requireOrigin(origin);
  return caller;
}
