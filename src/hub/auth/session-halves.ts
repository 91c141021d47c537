import { SECRET_PREFIX } from '../../ledger/ids.ts';

/** The page sends its half of the session's secret in this header. */
export const PAGE_KEY_HEADER = 'x-fermata-page-key';

/** The two halves of a session's secret; either alone proves nothing. */
export interface SessionHalves {
  /** In a cookie that no script can read. Browsers send it to every port of the host. */
  cookie: string;
  /** In the storage of the page's origin, which includes the port. */
  pageKey: string;
}

/** Each half has more than 120 random bits; the prefix has none. */
export function splitSecret(secret: string): SessionHalves {
  const middle = Math.floor((secret.length + SECRET_PREFIX.length) / 2);
  return { cookie: secret.slice(0, middle), pageKey: secret.slice(middle) };
}

/** The whole secret; undefined if a half is missing. */
export function joinHalves({ cookie, pageKey }: Partial<SessionHalves>): string | undefined {
  return cookie && pageKey ? cookie + pageKey : undefined;
}
