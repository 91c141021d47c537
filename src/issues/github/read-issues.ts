import type { Env } from '../../config/home.ts';
import { FermataError } from '../../schema/error.ts';
import type { Issue } from '../issue.ts';
import type { Access, IssueFilter } from './client.ts';
import { defaultHost, parseRepo, type Repo, repoName, repoOfAddress } from './repo.ts';
import { withGitHub } from './with-github.ts';

interface IssueQuery extends IssueFilter {
  /** `owner/name`, or `host/owner/name`. */
  repo: string;
  /** Only these; they may be closed. */
  issues?: number[] | undefined;
}

/**
 * Reads the open issues of a repository, in the order of their numbers: with the `gh` program, or with the REST
 * API if that is not installed or not logged in.
 *
 *     await readGitHubIssues({ repo: 'owner/name', labels: ['bug'] }, { env: process.env })
 */
export async function readGitHubIssues(query: IssueQuery, access: Access): Promise<Issue[]> {
  const { repo: name, issues: numbers, ...filter } = query;
  const repo = parseRepo(name, access.env);
  if (
    numbers?.length &&
    (filter.milestone !== undefined || filter.labels?.length || filter.limit !== undefined)
  ) {
    throw new FermataError('invalid', '--issue cannot be combined with --milestone, --label or --limit.');
  }
  const found = await withGitHub(repo, access, async (client) => {
    if (!numbers?.length) return client.list(filter);
    const named: Issue[] = [];
    for (const number of new Set(numbers)) {
      const issue = await client.view(number);
      if (issue.state?.toLowerCase() === 'closed')
        access.onNotice?.(`#${number} is closed; reading it anyway.`);
      named.push(issue);
    }
    return named;
  });
  return found.sort((a, b) => a.number - b.number);
}

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
