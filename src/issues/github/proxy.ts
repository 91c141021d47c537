import type { Env } from '../../config/home.ts';
import { isLoopback } from '../../config/loopback.ts';
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
