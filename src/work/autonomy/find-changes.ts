import { BlobTexts } from '../../git/blob-texts.ts';
import { changesBetween, isLink, isSubmodule, type TreeChange, type TreeFile } from '../../git/tree-files.ts';
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
  const changed = await changesBetween(span.folder, span.base, span.tip);
  const texts = new BlobTexts(span.folder);
  const manifests = changed.filter(({ path }) => isManifest(path));
  await texts.load(manifests.flatMap(({ before, after }) => [before, after]));
  const dependency: string[] = [];
  const asking: string[] = [];
  for (const manifest of manifests) {
    const changes = changesOfManifest(manifest, texts);
    if (changes.length > 0) asking.push(manifest.path);
    dependency.push(...changes);
  }
  const locks = changed
    .filter(({ path }) => isLockFile(path))
    .map(({ path, after }) => ({ path, ...(after && !isSubmodule(after) ? { mark: markOf(after) } : {}) }));
  dependency.push(...lockedChanges(locks, asking));
  const steering = await steeringChanges(span, changed, texts, own);
  return { dependency, ...(steering ? { steering } : {}) };
}

/** Links are not followed, because they may lead anywhere. */
function changesOfManifest({ path, before, after }: TreeChange, texts: BlobTexts): string[] {
  if (after && isLink(after))
    return [`${path} is a symbolic link, which Fermata does not follow (${markOf(after)})`];
  if (after && texts.isTooLarge(after)) return [`${path} is too large to check (${markOf(after)})`];
  return dependencyChanges(path, texts.of(before), texts.of(after));
}

/** An approval applies to this content only. */
const markOf = ({ id }: TreeFile) => id.slice(0, 8);

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
