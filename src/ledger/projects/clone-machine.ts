import type { AcceptedRemote, Clone, CloneInput } from '../../schema/clone.ts';

/** Why a clone does not belong to a project: what is wrong, and the other clone if it is about one. */
export interface CloneConflict {
  kind: 'other_repository' | 'second_clone' | 'unknown_remote' | 'unknown_clone';
  other?: Clone;
}

/** What is known of a project before a clone joins it. */
export interface KnownProject {
  /** Its other clones. */
  others: readonly Clone[];
  /** The addresses that a person has accepted. */
  remotes: readonly AcceptedRemote[];
}

/**
 * Clones that share a project need a common first commit, and a remote through which they exchange commits. Without one, a
 * phase would start without the commits of earlier phases. `repository` is what the clone's remote names, to compare it with
 * what was accepted; `accepts` is true if a person accepts it now.
 */
export function findCloneConflict(
  own: CloneInput,
  repository: string | null,
  { others, remotes }: KnownProject,
  accepts: boolean,
): CloneConflict | undefined {
  const [other] = others;
  const about = other ? { other } : {};
  if (!hasCommonRoot(own.roots, [...others, ...remotes])) return { kind: 'other_repository', ...about };
  if (own.remote === null && other) return { kind: 'second_clone', other };
  if (accepts || remotes.some(({ address }) => address === repository)) return undefined;
  return { kind: repository === null ? 'unknown_clone' : 'unknown_remote', ...about };
}

/** True if nothing is known to compare with. */
function hasCommonRoot(own: readonly string[], known: readonly { roots: string[] }[]): boolean {
  const roots = new Set(known.flatMap((each) => each.roots));
  return roots.size === 0 || own.some((root) => roots.has(root));
}
