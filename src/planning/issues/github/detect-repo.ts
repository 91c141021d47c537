import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Env } from '../../../config/home.ts';
import { defaultHost, type Repo, repoName, repoOfAddress } from './repo.ts';

/** The remotes in which issues are looked for first; a fork's own issues are rarely the ones that are meant. */
const order = ['upstream', 'github', 'origin'];

/** The GitHub repository that a folder is a clone of, as `owner/name`; undefined where no remote is on GitHub. */
export async function detectRepo(folder: string, env: Env = process.env): Promise<string | undefined> {
  const remotes = (await remotesOf(folder)).sort((a, b) => rank(a.remote) - rank(b.remote));
  for (const { address } of remotes) {
    const repo = repoOfAddress(address);
    if (repo && isGitHub(repo, env)) return repoName(repo, env);
  }
  return undefined;
}

/** A cloned repository names its remotes; only the person's environment says which servers may get a token. */
function isGitHub({ host }: Repo, env: Env): boolean {
  return host === 'github.com' || host.endsWith('.ghe.com') || host === defaultHost(env);
}

function rank(remote: string): number {
  const place = order.indexOf(remote);
  return place === -1 ? order.length : place;
}

async function remotesOf(folder: string): Promise<{ remote: string; address: string }[]> {
  try {
    const { stdout } = await promisify(execFile)('git', ['remote', '--verbose'], {
      cwd: folder,
      timeout: 10_000,
    });
    return [...stdout.matchAll(/^(\S+)\t(.+) \(fetch\)/gm)].map(([, remote = '', address = '']) => ({
      remote,
      address,
    }));
  } catch {
    return []; // no repository, no folder or no git: then there is no remote either
  }
}
