import type { HubRequest } from '../http/message.ts';
import type { HubParts } from '../parts.ts';
import { checkOrigin } from './allowed-hosts.ts';
import { authenticate } from './authenticate.ts';
import type { Caller } from './caller.ts';

/** Who sent it. What a cookie alone proves must also come from our own page, where it changes something. */
export async function identify(
  { incoming, method }: HubRequest,
  { door, allowed }: HubParts,
): Promise<Caller> {
  const { authorization, cookie, host, origin } = incoming.headers;
  const caller = await authenticate(door, { authorization, cookie });
  if (caller.by === 'cookie' && method !== 'GET') checkOrigin(allowed, { host, origin }, true);
  return caller;
}
