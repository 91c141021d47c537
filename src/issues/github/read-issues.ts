import { FermataError } from '../../schema/error.ts';
import type { Issue } from '../issue.ts';
import type { Access, IssueFilter } from './client.ts';
import { parseRepo } from './repo.ts';
import { withGitHub } from './with-github.ts';

export interface IssueQuery extends IssueFilter {
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
