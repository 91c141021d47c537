import type { Ledger } from '../../ledger/ledger.ts';
import type { Worktree } from '../../schema/worktree.ts';
import { agentFileContents } from './gather.ts';
import type { RepositoryContent } from './repository-content.ts';
import { untrusted } from './trust.ts';

/**
 * Files in a worktree that agent programs would run by themselves and nobody has trusted, because an agent may have
 * written them for the next one. They are trusted for this worktree only, and shown as a change of what is trusted
 * elsewhere.
 */
export async function changedAgentFiles(
  ledger: Ledger,
  projectId: string,
  { path, branch }: Pick<Worktree, 'branch'> & { path: string },
): Promise<RepositoryContent[]> {
  const left = await untrusted(ledger, projectId, agentFileContents(path));
  const place = branch.slice(0, 200);
  return left.map((each) => ({
    ...each,
    name: `${each.name} in ${place}`,
    shownAs: `${each.shownAs} in ${place}`,
  }));
}
