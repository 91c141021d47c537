import {
  BlobTexts,
  changesBetween,
  isLink,
  isSubmodule,
  type TreeChange,
  type TreeFile,
} from '../../git/tree-files.ts';
import { lineDiff } from '../../schema/line-diff.ts';
import type { Worktree } from '../../schema/worktree.ts';
import { isLockFile, isManifest, lockedChanges } from './manifests.ts';
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
    const change = changeOfManifest(manifest, texts);
    if (change === undefined) continue;
    asking.push(manifest.path);
    dependency.push(change);
  }
  const locks = changed
    .filter(({ path }) => isLockFile(path))
    .map(({ path, after }) => ({ path, ...(after && !isSubmodule(after) ? { mark: markOf(after) } : {}) }));
  dependency.push(...lockedChanges(locks, asking));
  const steering = await steeringChanges(span, changed, texts, own);
  return { dependency, ...(steering ? { steering } : {}) };
}

/** A longer diff is not shown, so that a question has room for many manifests. */
const MAX_DIFF = 20_000;

/** The diff of a manifest; undefined if only its mode changed. Links are not followed, because they may lead anywhere. */
function changeOfManifest({ path, before, after }: TreeChange, texts: BlobTexts): string | undefined {
  if (!after) return `${path} was deleted`;
  const mark = markOf(after);
  if (isLink(after)) return `${path} is a symbolic link, which Fermata does not follow (${mark})`;
  if (texts.isTooLarge(after)) return `${path} is too large to check (${mark})`;
  if (before?.id === after.id) return undefined;
  const diff = lineDiff(texts.of(before), texts.of(after)).join('\n');
  return diff.length > MAX_DIFF
    ? `${path} has changes that are too long to show (${mark})`
    : `${path} changed:\n${diff}`;
}

/** An approval applies to this content only. */
const markOf = ({ id }: TreeFile) => id.slice(0, 8);

/** The phase that a worktree belongs to; undefined if it belongs to no phase of a plan. */
export function ownPhaseOf({ plan, phase, variant, featureBranch }: Worktree): OwnPhase | undefined {
  if (plan === null || phase === null) return undefined;
  return { folder: plan, phase, variant, feature: `refs/heads/${featureBranch}` };
}
