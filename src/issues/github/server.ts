import type { Env } from '../../config/home.ts';
import { isLoopback } from '../../schema/address.ts';
import { FermataError } from '../../schema/error.ts';
import { defaultHost, type Repo } from './repo.ts';

/** The REST API of a repository's host, and its token. */
export interface ApiServer {
  url: string;
  token: string | undefined;
}

export function apiServer(repo: Repo, env: Env): ApiServer {
  const own = ownApi(repo.host);
  const url = (overriddenApi(repo, env) ?? own).replace(/\/+$/, '');
  const token = tokenFor(repo, env);
  const { protocol, hostname } = new URL(url);
  if (protocol === 'https:' || isLoopback(hostname)) return { url, token };
  throw new FermataError(
    'invalid',
    `GITHUB_API_URL is ${url}. Use https://, because anything else would expose the token.`,
  );
}

/** True if the API is not the host's own, which is the only one that `gh` knows. */
export function isElsewhere(repo: Repo, env: Env): boolean {
  const api = overriddenApi(repo, env);
  return api !== undefined && api.replace(/\/+$/, '') !== ownApi(repo.host);
}

function ownApi(host: string): string {
  if (host === 'github.com') return 'https://api.github.com';
  return host.endsWith('.ghe.com') ? `https://api.${host}` : `https://${host}/api/v3`;
}

function overriddenApi({ host }: Repo, env: Env): string | undefined {
  if (!env.GITHUB_API_URL || host !== defaultHost(env)) return undefined;
  if (/^https?:/i.test(env.GITHUB_API_URL) && URL.canParse(env.GITHUB_API_URL)) return env.GITHUB_API_URL;
  throw new FermataError('invalid', 'GITHUB_API_URL is not a valid URL. Example: https://api.github.com');
}

/** A token is sent only to the host that it was made for. */
function tokenFor({ host }: Repo, env: Env): string | undefined {
  const names =
    host === defaultHost(env)
      ? ['GH_TOKEN', 'GITHUB_TOKEN', ...(host === 'github.com' ? [] : enterprise)]
      : enterprise;
  const name = names.find((each) => env[each]?.trim());
  const token = name === undefined ? undefined : env[name]?.trim();
  if (token === undefined || /^[\x21-\x7e]+$/.test(token)) return token;
  throw new FermataError('invalid', `${name} contains characters that no token has. Copy the token again.`);
}

const enterprise = ['GH_ENTERPRISE_TOKEN', 'GITHUB_ENTERPRISE_TOKEN'];
