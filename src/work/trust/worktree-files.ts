import type { Ledger } from '../../ledger/ledger.ts';
import type { Worktree } from '../../schema/worktree.ts';
import type { Brought } from './brought.ts';
import { broughtAgentFiles } from './gather.ts';
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
): Promise<Brought[]> {
  const left = await untrusted(ledger, projectId, broughtAgentFiles(path));
  const place = branch.slice(0, 200);
  return left.map((each) => ({
    ...each,
    name: `${each.name} in ${place}`,
    shownAs: `${each.shownAs} in ${place}`,
  }));
}
