import type { Env } from '../../config/home.ts';
import { defaultHost, type Repo, repoName, repoOfAddress } from './repo.ts';

interface Remote {
  name: string;
  address: string;
}

/** The remotes to check first, because a fork's own issues are rarely the ones that are meant. */
const order = ['upstream', 'github', 'origin'];

/** The GitHub repository of a clone with these remotes, as `owner/name`; undefined if none is on GitHub. */
export function detectRepo(remotes: readonly Remote[], env: Env = process.env): string | undefined {
  for (const { address } of remotes.toSorted((a, b) => rank(a.name) - rank(b.name))) {
    const repo = repoOfAddress(address);
    if (repo && isGitHub(repo, env)) return repoName(repo, env);
  }
  return undefined;
}

/** A cloned repository names its remotes, so only the person's environment decides which servers get a token. */
function isGitHub({ host }: Repo, env: Env): boolean {
  return host === 'github.com' || host.endsWith('.ghe.com') || host === defaultHost(env);
}

function rank(name: string): number {
  const place = order.indexOf(name);
  return place === -1 ? order.length : place;
}
