import type { Env } from '../../config/home.ts';
import { FermataError } from '../../schema/error.ts';

/** A repository on github.com or on another GitHub server. */
export interface Repo {
  host: string;
  owner: string;
  name: string;
}

const part = /^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,100}$/;
const hostName = /^[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?(?::\d{1,5})?$/;

/** Reads `owner/name`, `host/owner/name` or an address of the repository, as a person writes it. */
export function parseRepo(text: string, env: Env): Repo {
  const words = text.trim().split('/');
  const named =
    words.length === 2
      ? repoOf(defaultHost(env), words)
      : words.length === 3
        ? repoOf(words[0], words.slice(1))
        : undefined;
  const repo = named ?? repoOfAddress(text.trim());
  if (repo) return repo;
  throw new FermataError('invalid', `"${text}" is not a repository. Use --repo owner/name`);
}

/** `owner/name`, with the host first if it is not the default. */
export function repoName({ host, owner, name }: Repo, env: Env): string {
  return host === defaultHost(env) ? `${owner}/${name}` : `${host}/${owner}/${name}`;
}

/** Reads the address of a remote: https, ssh, git, or the short form `git@host:owner/name`. */
export function repoOfAddress(address: string): Repo | undefined {
  const short = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)\/?(.+)$/.exec(address);
  const [, host, path] =
    short ?? /^(?:https?|ssh|git|git\+ssh):\/\/(?:[^@/]*@)?([^/]+)\/(.+)$/i.exec(address) ?? [];
  if (host === undefined || path === undefined) return undefined;
  const withoutPort = /^https?:/i.test(address) ? host : host.replace(/:\d+$/, '');
  return repoOf(withoutPort, path.replace(/\/+$/, '').split('/'));
}

/** The host of `owner/name`, and the host that the person's token is for. */
export function defaultHost(env: Env): string {
  const server =
    env.GITHUB_SERVER_URL && URL.canParse(env.GITHUB_SERVER_URL) ? new URL(env.GITHUB_SERVER_URL) : undefined;
  return (env.GH_HOST || server?.host || 'github.com').toLowerCase();
}

function repoOf(host: string | undefined, path: string[]): Repo | undefined {
  const [owner = '', last = ''] = path;
  const name = last.replace(/\.git$/, '');
  const at = aliases[(host ?? '').toLowerCase()] ?? (host ?? '').toLowerCase();
  if (path.length !== 2 || !hostName.test(at) || !part.test(owner) || !part.test(name)) return undefined;
  return { host: at, owner, name };
}

const aliases: Record<string, string> = { 'www.github.com': 'github.com', 'ssh.github.com': 'github.com' };
