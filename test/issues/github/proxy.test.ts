import { expect, it } from 'vitest';
import { proxyFor } from '../../../src/issues/github/proxy.ts';
import { fermata } from '../../support/fermata.ts';
import { gitHub, once } from './support/github.ts';
import { CERTIFICATE, proxyTo } from './support/proxy.ts';

const api = new URL('https://api.github.com');
const analyze = ['issues', 'analyze', '--repo', 'o/r', '--json'];
const PASSWORD = 'p@ss-of-the-proxy';

/** The program's environment, in which the API is reached through a proxy or not at all. */
async function behindProxy(user?: string) {
  const server = await gitHub([{ number: 4, title: 'Add dark mode', body: 'Would be nice!' }]);
  const proxy = await proxyTo(server.url, user === undefined ? {} : { user });
  const env = {
    ...server.env,
    GITHUB_API_URL: 'https://api.github.test',
    NODE_EXTRA_CA_CERTS: CERTIFICATE,
    HTTPS_PROXY: `http://${proxy.address}`,
    NO_PROXY: 'localhost',
    no_proxy: undefined,
  };
  return { server, proxy, env };
}

it.each<[proxy: string | undefined, env: Record<string, string>]>([
  ['http://proxy:3128/', { HTTPS_PROXY: 'http://proxy:3128' }],
  ['http://proxy:3128/', { https_proxy: 'proxy:3128' }],
  ['https://proxy/', { HTTPS_PROXY: 'https://proxy', NO_PROXY: 'example.com,hub.com' }],
  [undefined, {}],
  [undefined, { HTTP_PROXY: 'http://proxy', HTTPS_PROXY: ' ' }],
  [undefined, { HTTPS_PROXY: 'http://proxy', NO_PROXY: '*' }],
  [undefined, { HTTPS_PROXY: 'http://proxy', NO_PROXY: 'a.com, GitHub.com' }],
  [undefined, { HTTPS_PROXY: 'http://proxy', no_proxy: '.github.com' }],
  [undefined, { HTTPS_PROXY: 'http://proxy', NO_PROXY: 'api.github.com:443' }],
  ['http://proxy/', { HTTPS_PROXY: 'http://proxy', NO_PROXY: 'api.github.com:8443' }],
])('GAP-1 the proxy is %s with %j', (proxy, env) => expect(proxyFor(api, env)?.href).toBe(proxy));

it('GAP-1 no proxy is used for this machine, or for an address without TLS', () => {
  const env = { HTTPS_PROXY: 'http://proxy' };
  expect(proxyFor(new URL('https://127.0.0.1:8443'), env)).toBeUndefined();
  expect(proxyFor(new URL('http://api.github.com'), env)).toBeUndefined();
});

it('GAP-1 a proxy of another kind is refused without its password', () => {
  const wrong = () => proxyFor(api, { HTTPS_PROXY: `socks5://ann:${PASSWORD}@proxy` });
  expect(wrong).toThrow('HTTPS_PROXY is not a supported proxy URL');
  expect(wrong).not.toThrow(PASSWORD);
});

it('GAP-1 issues are read through a tunnel; the token goes to the server, the password to the proxy', async () => {
  const { server, proxy, env } = await behindProxy(`ann:${PASSWORD}`);
  server.replies.push(once(301, {}, { location: '/repos/o/r/issues?state=open&per_page=100' }));
  const HTTPS_PROXY = `http://ann:${encodeURIComponent(PASSWORD)}@${proxy.address}`;
  const { code, stdout, stderr } = await fermata(analyze, { env: { ...env, HTTPS_PROXY } });
  expect([code, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout).issues).toEqual([expect.objectContaining({ number: 4 })]);
  const asked = { host: 'api.github.test:443', user: `ann:${PASSWORD}` };
  expect(proxy.asked).toEqual(proxy.asked.map(() => asked));
  expect(server.calls).toHaveLength(2);
  expect(server.calls.map(({ authorization }) => authorization)).toEqual(
    server.calls.map(() => `Bearer ${server.token}`),
  );
});

it('GAP-1 a proxy that refuses is reported with what to do, without the password', async () => {
  const { server, proxy, env } = await behindProxy('ann:right');
  const HTTPS_PROXY = `http://ann:${PASSWORD.replace('@', '%40')}@${proxy.address}`;
  const { code, stdout, stderr } = await fermata(analyze, { env: { ...env, HTTPS_PROXY } });
  expect([code, JSON.parse(stdout).error.code]).toEqual([1, 'unavailable']);
  expect(stderr).toContain(`through the proxy ${proxy.address}: the proxy answered with HTTP 407`);
  expect(stdout + stderr).not.toMatch(/p(?:@|%40)ss-of-the-proxy/);
  expect(server.calls).toEqual([]);
});

it('GAP-1 a redirect to another server is not followed through the proxy', async () => {
  const { server, proxy, env } = await behindProxy();
  server.replies.push(once(302, {}, { location: 'https://elsewhere.test/' }));
  const { code, stderr } = await fermata(analyze, { env });
  expect([code, stderr]).toEqual([1, expect.stringContaining('HTTP 302')]);
  expect(proxy.asked.map(({ host }) => host)).toEqual(['api.github.test:443']);
});
