import { gitList } from '../../git/git.ts';
import { MOST_BYTES, textAt } from '../../git/text-at.ts';
import { type TreeEntry, treeEntry } from '../../git/tree-entry.ts';
import type { Worktree } from '../../schema/worktree.ts';
import { isLockFile, lockedChanges } from './manifests/lock-files.ts';
import { dependenciesIn, isManifest } from './manifests/readers.ts';
import type { OwnPhase } from './plan-progress.ts';
import type { Span } from './span.ts';
import { type SteeringChanges, steeringChanges } from './steering-changes.ts';

/** Changes that a person may want to decide on: dependencies, described, and files that steer. */
export interface SensitiveChanges {
  dependency: string[];
  steering?: SteeringChanges;
}

/** Checks the manifests and all files that steer. `own`: the phase that did the work. */
export async function findChanges(span: Span, own?: OwnPhase): Promise<SensitiveChanges> {
  const { folder, base, tip } = span;
  const args = ['diff', '--name-only', '-z', '--no-renames', '--end-of-options', base, tip, '--'];
  const changed = await gitList(folder, args);
  const dependency: string[] = [];
  const asking: string[] = [];
  for (const path of changed.filter(isManifest)) {
    const changes = await changesOfManifest(span, path);
    if (changes.length > 0) asking.push(path);
    dependency.push(...changes);
  }
  const locks = changed
    .filter(isLockFile)
    .map(async (path) => ({ path, mark: markOf(await treeEntry(folder, tip, path)) }));
  dependency.push(...lockedChanges(await Promise.all(locks), asking));
  const steering = await steeringChanges(span, own);
  return { dependency, ...(steering ? { steering } : {}) };
}

/** Links are not followed, because they may lead anywhere. */
async function changesOfManifest({ folder, base, tip }: Span, path: string): Promise<string[]> {
  const now = await treeEntry(folder, tip, path);
  if (now?.isLink) return [`${path} is a symbolic link, which Fermata does not follow (${markOf(now)})`];
  if (now && now.bytes > MOST_BYTES) return [`${path} is too large to check (${markOf(now)})`];
  return dependencyChanges(path, await textAt(folder, base, path), await textAt(folder, tip, path));
}

/** An approval applies to this content only. */
const markOf = (entry: TreeEntry | undefined) => entry?.id.slice(0, 8);

/** The phase that a worktree belongs to; undefined if it belongs to no phase of a plan. */
export function ownPhaseOf({ plan, phase, variant }: Worktree): OwnPhase | undefined {
  return plan === null || phase === null ? undefined : { folder: plan, phase, variant };
}

/** The changes to the dependencies in one manifest, described: `package.json adds lodash 4.17.21`. */
export function dependencyChanges(path: string, before: string, after: string): string[] {
  const old = dependenciesIn(path, before);
  const now = dependenciesIn(path, after);
  const added = [...now].filter(([name]) => !old.has(name));
  const removed = [...old.keys()].filter((name) => !now.has(name));
  const changed = [...now].filter(([name, version]) => old.has(name) && old.get(name) !== version);
  return [
    ...added.map(([name, version]) => `${path} adds ${name} ${version}`.trim()),
    ...removed.map((name) => `${path} removes ${name}`),
    ...changed.map(
      ([name, version]) => `${path} changes ${name} from ${old.get(name) || 'any'} to ${version || 'any'}`,
    ),
  ];
}
