import { isIP } from 'node:net';
import { FermataError } from '../../schema/error.ts';

/** The host names under which the hub may be addressed. */
export interface AllowedHosts {
  /** Lower case, without port. */
  names: ReadonlySet<string>;
  /** Set if a proxy gives the page an address other than the request's. */
  origin?: string;
}

/** `localhost`, the name to listen on, and the public name. */
export function allowedHosts(host: string, publicUrl: URL | undefined): AllowedHosts {
  const names = ['localhost', bare(host.toLowerCase())];
  if (publicUrl) names.push(bare(publicUrl.hostname));
  return { names: new Set(names), origin: publicUrl?.origin };
}

/**
 * Refuses a request for a foreign host name: another site's name that was made to point here (DNS rebinding). A numeric
 * address is always ours, because another site's page has a different address.
 */
export function checkHost(allowed: AllowedHosts, host: string | undefined): void {
  const name = hostname(host);
  if (name !== undefined && (isIP(name) !== 0 || allowed.names.has(name))) return;
  throw new FermataError(
    'forbidden',
    `Host "${(host ?? '').slice(0, 200)}" is not allowed. If this is the hub's public name, start the hub with --public-url.`,
  );
}

/** Refuses what another site's page has sent. A browser names the page's origin; programs send none. */
export function checkOrigin(
  allowed: AllowedHosts,
  host: string | undefined,
  origin: string | undefined,
): void {
  if (origin === undefined || origin === allowed.origin) return;
  if (host !== undefined && originHost(origin) === host.toLowerCase()) return;
  throw new FermataError('forbidden', `Requests from pages of "${origin.slice(0, 200)}" are not allowed.`);
}

/** Refuses a browser-only request that does not say which page it comes from. */
export function requireOrigin(origin: string | undefined): void {
  if (origin !== undefined) return;
  throw new FermataError('forbidden', 'The "Origin" header is missing. Only the inbox page may do this.');
}

function hostname(host: string | undefined): string | undefined {
  const match = /^(\[[\da-f:.]+\]|[^:/\s[\]]+)(?::\d{1,5})?$/i.exec(host ?? '');
  return match?.[1] === undefined ? undefined : bare(match[1].toLowerCase());
}

const bare = (name: string) => name.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');

function originHost(origin: string): string | undefined {
  return /^https?:\/\/([^/]+)$/i.exec(origin)?.[1]?.toLowerCase();
}
