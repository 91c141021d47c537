import { FermataError } from '../../schema/error.ts';
import type { Access, GitHubClient } from './client.ts';
import type { IssueUpdate } from './preview-updates.ts';
import { parseRepo } from './repo.ts';
import { withGitHub } from './with-github.ts';

export type UpdateResult =
  | { issue: number; status: 'written'; url: string | undefined }
  | { issue: number; status: 'already there' }
  | { issue: number; status: 'failed'; message: string };

/**
 * Writes the comments of a preview. Repeated after a crash, it writes only what is missing, because each issue is checked
 * just before. A failed issue does not stop the others.
 */
export async function applyUpdates(
  repo: string,
  updates: IssueUpdate[],
  access: Access,
): Promise<UpdateResult[]> {
  return withGitHub(parseRepo(repo, access.env), access, async (client) => {
    const results: UpdateResult[] = [];
    for (const update of updates) {
      access.onProgress?.(`Writing to #${update.issue} …`);
      results.push(await applied(client, update));
    }
    return results;
  });
}

async function applied(client: GitHubClient, { issue, text, marks }: IssueUpdate): Promise<UpdateResult> {
  try {
    const there = (await client.comments(issue)).join('\n');
    if (marks.every((mark) => there.includes(mark))) return { issue, status: 'already there' };
    return { issue, status: 'written', url: await client.comment(issue, text) };
  } catch (error) {
    if (!(error instanceof FermataError)) throw error;
    return { issue, status: 'failed', message: error.message };
  }
}
