import type { HubRequest } from '../http/message.ts';
import type { HubParts } from '../parts.ts';
import { requireOrigin } from './allowed-hosts.ts';
import { authenticate } from './authenticate.ts';
import type { Caller } from './caller.ts';
import { PAGE_KEY_HEADER } from './session-halves.ts';

/** Who sent it. A request that uses a session and changes something must also come from our own page. */
export async function identify({ incoming, method }: HubRequest, { auth }: HubParts): Promise<Caller> {
  const { authorization, cookie, origin, [PAGE_KEY_HEADER]: pageKey } = incoming.headers;
  const caller = await authenticate(auth, { authorization, cookie, pageKey: [pageKey].flat()[0] });
  if (caller.by === 'cookie' && method !== 'GET') requireOrigin(origin);
  return caller;
}
