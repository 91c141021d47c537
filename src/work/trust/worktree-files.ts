import type { Ledger } from '../../ledger/ledger.ts';
import type { Worktree } from '../../schema/worktree.ts';
import type { Brought } from './brought.ts';
import { broughtAgentFiles } from './gather.ts';
import { untrusted } from './trust.ts';

/**
 * What agent programs would run by themselves in a worktree and nobody has trusted: an agent may have written it there for
 * the next one. It is trusted for this worktree only, and shown as a change of what is trusted elsewhere.
 */
export async function changedAgentFiles(
  ledger: Ledger,
  projectId: string,
  { path, branch }: Pick<Worktree, 'branch'> & { path: string },
): Promise<Brought[]> {
  const left = await untrusted(ledger, projectId, broughtAgentFiles(path));
  const place = branch.slice(0, 200);
  return left.map((each) => ({
    ...each,
    name: `${each.name} in ${place}`,
    shownAs: `${each.shownAs} in ${place}`,
  }));
}
