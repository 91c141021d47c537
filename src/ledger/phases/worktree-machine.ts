import { FermataError } from '../../schema/error.ts';
import type { WorktreeState } from '../../schema/worktree.ts';

/** What may follow what. Work goes on in a merged one or an alternative when its phase is taken up again. */
const next: Record<WorktreeState, readonly WorktreeState[]> = {
  active: ['active', 'merged', 'alternative', 'archived'],
  merged: ['merged', 'active', 'archived'],
  alternative: ['alternative', 'active', 'archived'],
  archived: ['archived'],
};

export function requireStep(branch: string, from: WorktreeState, to: WorktreeState): void {
  if (next[from].includes(to)) return;
  throw new FermataError(
    'conflict',
    `The worktree of ${branch} is ${from}, so it cannot become ${to}. It can become ${next[from].join(' or ')}.`,
  );
}
