import { tmpdir } from 'node:os';
import { isAbsolute } from 'node:path';
import { findProgram } from '../../agents/process/program.ts';
import type { Access, GitHubClient } from './client.ts';
import { ghClient, NotLoggedIn } from './gh-client.ts';
import type { Repo } from './repo.ts';
import { restClient } from './rest-client.ts';
import { isElsewhere } from './server.ts';

/** Runs `work` with the `gh` program, or with the REST API if `gh` is missing, not logged in or cannot reach the server. */
export async function withGitHub<T>(
  repo: Repo,
  access: Access,
  work: (client: GitHubClient) => Promise<T>,
): Promise<T> {
  const program = isElsewhere(repo, access.env) ? undefined : findProgram('gh', access.env, tmpdir());
  // A program found through a relative folder of the PATH may come from a repository.
  if (program !== undefined && isAbsolute(program)) {
    try {
      return await work(ghClient(program, repo, access));
    } catch (error) {
      if (!(error instanceof NotLoggedIn)) throw error;
      access.onNotice?.('gh is not logged in; reading over the REST API instead.');
    }
  }
  return work(restClient(repo, access));
}
