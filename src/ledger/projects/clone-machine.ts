import type { Clone, CloneInput } from '../../schema/clone.ts';

/** Why a clone may not work on a project: the other clone, and what is wrong with the two. */
export interface CloneConflict {
  kind: 'other_repository' | 'second_clone';
  other: Clone;
}

/**
 * Clones that share a project need the same history and a remote through which they exchange commits. Without one, a
 * phase would start without the commits of earlier phases.
 */
export function findCloneConflict(own: CloneInput, others: readonly Clone[]): CloneConflict | undefined {
  const stranger = others.find((other) => isUnrelated(own, other));
  if (stranger) return { kind: 'other_repository', other: stranger };
  const [other] = others;
  return other && own.remote === null ? { kind: 'second_clone', other } : undefined;
}

function isUnrelated({ roots }: CloneInput, other: Clone): boolean {
  if (roots.length === 0 || other.roots.length === 0) return false;
  return !roots.some((root) => other.roots.includes(root));
}
