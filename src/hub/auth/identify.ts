import type { HubContext, HubParts } from '../parts.ts';
import { checkOrigin } from './allowed-hosts.ts';
import { authenticate } from './authenticate.ts';
import type { Caller } from './caller.ts';

/** Who sent it. What a cookie alone proves must also come from our own page, where it changes something. */
export async function identify(c: HubContext, { door, allowed }: HubParts): Promise<Caller> {
  const { authorization, cookie, host, origin } = c.env.incoming.headers;
  const caller = await authenticate(door, { authorization, cookie });
  if (caller.by === 'cookie' && c.req.method !== 'GET') checkOrigin(allowed, { host, origin }, true);
  return caller;
}
