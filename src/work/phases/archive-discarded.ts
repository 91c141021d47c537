import { FermataError } from '../../schema/error.ts';
import { solutionOf } from '../gates/gate-result.ts';
import { gatesOf } from '../gates/human-gates.ts';
import { discardWorktree } from '../worktrees/discard-worktree.ts';
import { groupOf, type PhaseAtWork } from './phase-at-work.ts';
import type { PlanPlace } from './plan-place.ts';
import { worktreeOf } from './worktree.ts';

export interface ArchivedVariant {
  branch: string;
  /** The branch that has all of it now. */
  archive: string | null;
  /** Why it is still where it was. */
  problem?: string;
}

/**
 * Archives what was decided to be discarded, once the main variant is completed: until then its agent may still be in
 * there. What cannot be archived now is told, and is tried again by the next call.
 */
export async function archiveDiscarded(place: PlanPlace, at: PhaseAtWork): Promise<ArchivedVariant[]> {
  const { git } = place;
  if (!git || at.variants.length === 0) return [];
  const archived: ArchivedVariant[] = [];
  const gates = await gatesOf(place, at);
  for (const each of groupOf(place.plan, place.name, at.number)) {
    if (solutionOf(gates, each) !== 'discard') continue;
    const worktree = await worktreeOf(place, each);
    if (!worktree) continue;
    try {
      const { branch, archive } = await discardWorktree(git, worktree);
      archived.push({ branch, archive });
    } catch (error) {
      if (!(error instanceof FermataError)) throw error;
      archived.push({ branch: worktree.branch, archive: null, problem: error.message });
    }
  }
  return archived;
}
