import { parsePlan } from '../../planning/plan/parse-plan.ts';
import { gitList } from '../git/git.ts';
import { MOST_BYTES, textAt } from '../git/text-at.ts';
import { type TreeEntry, treeEntry } from '../git/tree-entry.ts';
import { dependencyChanges } from './dependency-changes.ts';
import { isLockFile, lockedChanges } from './manifests/lock-files.ts';
import { isManifest } from './manifests/readers.ts';
import { planAt } from './plan-at.ts';
import { scopeChanges } from './scope-changes.ts';

/** What was changed that a person may want to decide, by its category, each in words. */
export interface SensitiveChanges {
  dependency: string[];
  scope: string[];
}

/** The work that is looked at: what a later commit has that an earlier one has not. */
export interface Span {
  /** A folder of the repository. */
  folder: string;
  base: string;
  tip: string;
}

/** Looks through the manifests and the plan (its folder relative to the top of a checkout). */
export async function findChanges(span: Span, plan?: string): Promise<SensitiveChanges> {
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
  const touched = plan !== undefined && changed.some((path) => plan === '.' || path.startsWith(`${plan}/`));
  return { dependency, scope: touched ? await changesOfPlan(span, plan) : [] };
}

/** A link is not followed: it may lead anywhere. */
async function changesOfManifest({ folder, base, tip }: Span, path: string): Promise<string[]> {
  const now = await treeEntry(folder, tip, path);
  if (now?.isLink) return [`${path} is a link, which is not followed (${markOf(now)})`];
  if (now && now.bytes > MOST_BYTES) return [`${path} is too large to be looked at (${markOf(now)})`];
  return dependencyChanges(path, await textAt(folder, base, path), await textAt(folder, tip, path));
}

/** An approval is for this content and no other. */
const markOf = (entry: TreeEntry | undefined) => entry?.id.slice(0, 8);

/** A plan that was not there before is nobody's scope yet; one that is gone asks for nothing any more. */
async function changesOfPlan({ folder, base, tip }: Span, plan: string): Promise<string[]> {
  const before = await planAt(folder, base, plan);
  return before ? scopeChanges(before, (await planAt(folder, tip, plan)) ?? parsePlan([])) : [];
}
