import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsePlan } from '../../planning/plan/parse-plan.ts';
import type { TextFile } from '../../planning/plan/plan.ts';
import { gitList, tryGit } from '../git/git.ts';
import { contentMark } from './content-mark.ts';
import { dependencyChanges } from './dependency-changes.ts';
import { isLockFile, lockedChanges } from './manifests/lock-files.ts';
import { isManifest } from './manifests/readers.ts';
import { scopeChanges } from './scope-changes.ts';

/** What was changed that a person may want to decide, by its category, each in words. */
export interface SensitiveChanges {
  dependency: string[];
  scope: string[];
}

const LARGEST = 4 * 1024 * 1024;

/**
 * Looks through everything that differs between a commit and a checkout, committed or not: the manifests, and the plan
 * (its folder relative to the top of the checkout).
 */
export async function findChanges(checkout: string, base: string, plan?: string): Promise<SensitiveChanges> {
  const changed = await changedPaths(checkout, base);
  const dependency: string[] = [];
  const asking: string[] = [];
  for (const path of changed.filter(isManifest)) {
    const hidden = hiddenBy(checkout, path);
    const changes = hidden
      ? [`${path} ${hidden} (${await contentMark(checkout, path)})`]
      : dependencyChanges(path, await textAt(checkout, base, path), textNow(checkout, path));
    if (changes.length > 0) asking.push(path);
    dependency.push(...changes);
  }
  const locks = changed
    .filter(isLockFile)
    .map(async (path) => ({ path, mark: await contentMark(checkout, path) }));
  dependency.push(...lockedChanges(await Promise.all(locks), asking));
  const inPlan =
    plan !== undefined && changed.some((path) => path.startsWith(`${plan}/`) && path.endsWith('.md'));
  return { dependency, scope: inPlan ? await changesOfPlan(checkout, base, plan) : [] };
}

async function changedPaths(checkout: string, base: string): Promise<string[]> {
  const tracked = await gitList(checkout, [
    'diff',
    '--name-only',
    '-z',
    '--no-renames',
    '--end-of-options',
    base,
    '--',
  ]);
  const untracked = await gitList(checkout, [
    'ls-files',
    '-z',
    '--others',
    '--exclude-standard',
    '--full-name',
  ]);
  return [...new Set([...tracked, ...untracked])].sort();
}

async function changesOfPlan(checkout: string, base: string, plan: string): Promise<string[]> {
  const before = await gitList(checkout, [
    'ls-tree',
    '-r',
    '-z',
    '--name-only',
    '--full-tree',
    base,
    '--',
    `${plan}/`,
  ]);
  const now = await gitList(checkout, [
    'ls-files',
    '-z',
    '--cached',
    '--others',
    '--exclude-standard',
    '--',
    `${plan}/`,
  ]);
  const isPage = (path: string) => path.endsWith('.md');
  const inside = (path: string) => path.slice(plan.length + 1);
  const old: TextFile[] = [];
  for (const path of before.filter(isPage))
    old.push({ path: inside(path), text: await textAt(checkout, base, path) });
  // A plan that was not there before is nobody's scope yet.
  if (old.length === 0) return [];
  const present = now.filter(isPage).map((path) => ({ path: inside(path), text: textNow(checkout, path) }));
  return scopeChanges(parsePlan(old), parsePlan(present.filter(({ text }) => text !== '')));
}

/** Empty where it was not there. */
async function textAt(checkout: string, base: string, path: string): Promise<string> {
  const options = { maxBytes: LARGEST, cut: true };
  const { code, stdout } = await tryGit(checkout, ['show', '--end-of-options', `${base}:${path}`], options);
  return code === 0 ? stdout.toString('utf8') : '';
}

/** Why what a file says now cannot be told, if so. */
function hiddenBy(checkout: string, path: string): string | undefined {
  const found = lstatSync(join(checkout, path), { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) return 'is a link, which is not followed';
  return found && found.size > LARGEST ? 'is too large to be looked at' : undefined;
}

/** Empty where it is gone. A link is not followed: it may lead anywhere. */
function textNow(checkout: string, path: string): string {
  const file = join(checkout, path);
  const found = lstatSync(file, { throwIfNoEntry: false });
  return found?.isFile() && found.size <= LARGEST ? readFileSync(file, 'utf8') : '';
}
