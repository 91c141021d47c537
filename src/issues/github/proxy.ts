import type { Env } from '../../config/home.ts';
import { isLoopback } from '../../schema/address.ts';
import { FermataError } from '../../schema/error.ts';

/** The proxy for an address, from the person's environment; undefined to connect directly. */
export function proxyFor({ protocol, hostname, port }: URL, env: Env): URL | undefined {
  const name = ['HTTPS_PROXY', 'https_proxy'].find((each) => env[each]?.trim());
  const written = name === undefined ? '' : (env[name] ?? '').trim();
  // Without TLS the proxy could read the token.
  if (written === '' || protocol !== 'https:' || isLoopback(hostname)) return undefined;
  if (isExcepted(hostname, port || '443', env.NO_PROXY || env.no_proxy || '')) return undefined;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(written) ? written : `http://${written}`;
  const proxy = URL.canParse(address) ? new URL(address) : undefined;
  if (proxy?.protocol === 'http:' || proxy?.protocol === 'https:') return proxy;
  throw new FermataError(
    'invalid',
    `${name} is not a supported proxy URL. Example: http://proxy.example.com:3128`,
  );
}

/** `NO_PROXY=example.com,.internal,10.0.0.1:8443,*`: a name includes its subdomains. */
function isExcepted(hostname: string, port: string, list: string): boolean {
  return list.split(/[\s,]+/).some((entry) => {
    const [, host = '', only = port] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    const name = host.replace(/^\*?\./, '');
    if (name === '' || only !== port) return false;
    return name === '*' || hostname === name || hostname.endsWith(`.${name}`);
  });
}

interface Sent {
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
}

type Send = (url: string, sent: Sent & { redirect: 'manual' }) => Promise<Response>;

const MAX_REDIRECTS = 5;

/** Like `fetch`, through a proxy if there is one. Never follows a redirect to another server. */
export function sender(proxy: URL | undefined) {
  let fetching: Promise<Send> | undefined;
  return async (url: string, sent: Sent): Promise<Response> => {
    fetching ??= proxy ? fetchThrough(proxy) : Promise.resolve(fetch);
    const send = await fetching;
    let at = url;
    for (let redirects = 0; ; redirects++) {
      const response = await send(at, { ...sent, redirect: 'manual' });
      const next = redirects < MAX_REDIRECTS ? nextPlace(at, sent, response) : undefined;
      if (next === undefined) return response;
      await response.body?.cancel();
      at = next;
    }
  };
}

/** The `fetch` of Node 20 knows no proxies. The proxy sees only the name of the server. */
async function fetchThrough(proxy: URL): Promise<Send> {
  const { fetch, ProxyAgent } = await import('undici');
  const user = [proxy.username, proxy.password].map(decodeURIComponent).join(':');
  const token = user === ':' ? undefined : `Basic ${Buffer.from(user).toString('base64')}`;
  const dispatcher = new ProxyAgent({ uri: proxy.origin, token });
  return (url, sent) => fetch(url, { ...sent, dispatcher });
}

/** Where a redirect on the same server leads; the token is never sent to another one. */
function nextPlace(at: string, { method }: Sent, { status, headers }: Response): string | undefined {
  const location = headers.get('location');
  const isKept = status === 307 || status === 308 || (method === 'GET' && (status === 301 || status === 302));
  if (!isKept || location === null || !URL.canParse(location, at)) return undefined;
  const next = new URL(location, at);
  return next.origin === new URL(at).origin ? next.href : undefined;
}
