import { isBranchName } from '../git/branch-name.ts';
import { branchTip, commitOf, moveRef } from '../git/refs.ts';
import { isTrunk } from '../git/trunk.ts';
import { planKey } from '../phases/phase-at-work.ts';
import type { PlanPlace } from '../phases/plan-place.ts';
import { Refusal } from '../refusal.ts';
import type { Place } from '../worktrees/place.ts';

/**
 * What the phases of a plan are merged into: the branch that is checked out; where that is the trunk, the one that the plan
 * was begun on, else a branch with the plan's name.
 */
export function featureBranchFor(place: PlanPlace, wanted?: string): string {
  const current = place.here.featureBranch;
  const name = wanted ?? (current !== undefined && !isTrunk(current) ? current : planKey(place.name));
  if (isBranchName(name)) return name;
  throw new Refusal('invalid_name', `"${name.slice(0, 200)}" cannot be the name of a branch.`, {
    suggestion: 'Name another with --feature.',
    code: 'invalid',
  });
}

/** Makes the branch from what is checked out, where there is none. Nobody's checkout is touched. */
export async function ensureBranch({ commonDir, top }: Place, name: string): Promise<void> {
  if ((await branchTip(commonDir, name)) !== undefined) return;
  const head = await commitOf(top, 'HEAD');
  if (head === undefined) {
    throw new Refusal('no_commit', 'The repository has no commit yet, so there is nothing to branch from.', {
      suggestion: 'Commit something first.',
      code: 'invalid',
    });
  }
  // Somebody else may have made it in the same moment, from wherever they were.
  await moveRef(commonDir, `refs/heads/${name}`, head, '', 'fermata run');
}
