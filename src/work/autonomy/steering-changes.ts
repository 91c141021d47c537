import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { isAbsolute, normalize, posix, relative, sep } from 'node:path';
import { git, gitBytes, gitList } from '../../git/git.ts';
import { hooksPaths } from '../../git/hooks-paths.ts';
import { textAt } from '../../git/text-at.ts';
import { listCheckouts } from '../../git/worktree-list.ts';
import { parsePlan } from '../../plan/grammar/parse-plan.ts';
import { limits } from '../../schema/limits.ts';
import { planAt } from './plan-at.ts';
import { isProgress, type OwnPhase } from './plan-progress.ts';
import { scopeChanges } from './scope-changes.ts';
import type { Span } from './span.ts';
import { isSteeringLink, steers } from './steering-files.ts';

/** Changes to files that steer agents, git or Fermata. */
export interface SteeringChanges {
  /** What they mean for the plan, and the files. */
  words: string[];
  diff: string;
  /** A hash of every file's new content, because an approval applies only to that. */
  hash: string;
}

/** Finds them; undefined if there are none. */
export async function steeringChanges(span: Span, own?: OwnPhase): Promise<SteeringChanges | undefined> {
  const changes = await changedEntries(span);
  const targets = await linkTargets(span);
  const hooks = await hooksFolders(span.folder);
  const isBelow = (path: string, folders: string[]) =>
    folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
  const isSteering = ({ path, isLink }: Entry) =>
    steers(path) || isBelow(path, [...targets, ...hooks]) || (isLink && isSteeringLink(path));
  const plan = await editedPlan(span, own, changes);
  const found = changes.filter((entry) => isSteering(entry) || plan.paths.has(entry.path));
  if (found.length === 0) return undefined;
  const paths = found.map(({ path }) => path);
  const hash = createHash('sha256')
    .update(found.map(({ raw, path }) => `${raw}\0${path}\0`).join(''))
    .digest('hex');
  return { words: [...plan.words, ...paths], diff: await diffOf(span, paths), hash };
}

interface Entry {
  path: string;
  /** Modes, contents and kind of change, as git reports them. */
  raw: string;
  isLink: boolean;
}

async function changedEntries({ folder, base, tip }: Span): Promise<Entry[]> {
  const args = ['diff', '--raw', '-z', '--no-renames', '--no-abbrev', '--end-of-options', base, tip, '--'];
  const parts = await gitList(folder, args);
  return parts.flatMap((raw, index) => {
    const path = parts[index + 1];
    if (index % 2 === 1 || path === undefined) return [];
    return [{ path, raw, isLink: raw.split(' ')[1] === '120000' }];
  });
}

/** The most links in a chain that are followed. */
const MOST_HOPS = 10;

/** The targets of links that replace steering files, before or after: an edit there is an edit of these files. */
async function linkTargets({ folder, base, tip }: Span): Promise<string[]> {
  const targets = new Set<string>();
  for (const commit of [base, tip]) {
    const entries = await gitList(folder, ['ls-tree', '-r', '-z', '--full-tree', '--end-of-options', commit]);
    const links = entries
      .filter((entry) => entry.startsWith('120000 '))
      .map((entry) => entry.slice(entry.indexOf('\t') + 1));
    for (const link of links.filter(isSteeringLink)) {
      let path = link;
      for (let hop = 0; hop < MOST_HOPS; hop++) {
        const on = links.find((each) => path === each || path.startsWith(`${each}/`));
        if (on === undefined) break;
        path = posix.join(posix.dirname(on), await textAt(folder, commit, on), path.slice(on.length));
        targets.add(path);
      }
    }
  }
  return [...targets].filter((path) => path !== '.' && !path.startsWith('..'));
}

/** The folders of git's hooks, as configured by the repository or the person, as paths in a checkout. */
async function hooksFolders(folder: string): Promise<string[]> {
  const set = (await hooksPaths(folder)).map((path) => path.replace(/^~(?=\/)/, homedir()));
  const tops = set.some(isAbsolute) ? (await listCheckouts(folder)).map(({ path }) => path) : [];
  return set
    .flatMap((path) => (isAbsolute(path) ? tops.map((top) => relative(top, path)) : [normalize(path)]))
    .map((path) => path.split(sep).join('/').replace(/\/$/, ''))
    .filter((path) => path !== '' && path !== '.' && !path.startsWith('..') && !isAbsolute(path));
}

/** Files of plans with changes beyond the progress of the phase itself, and what these changes mean. */
async function editedPlan(
  { folder, base, tip }: Span,
  own: OwnPhase | undefined,
  changes: Entry[],
): Promise<{ paths: Set<string>; words: string[] }> {
  const before = own && (await planAt(folder, base, own.folder));
  const after = own && (await planAt(folder, tip, own.folder));
  const listed = new Set(
    [before, after].flatMap((plan) => (plan ? [plan.master, ...plan.phases.map(({ path }) => path)] : [])),
  );
  const isOwnPlan = (path: string) =>
    own !== undefined && (own.folder === '.' ? listed.has(path) : path.startsWith(`${own.folder}/`));
  const paths = new Set<string>();
  for (const { path, isLink } of changes) {
    if (!isOwnPlan(path) && !/^plans\/|(?:^|\/)master_plan\.md$/i.test(path)) continue;
    const texts = { before: await textAt(folder, base, path), after: await textAt(folder, tip, path) };
    const isOwnProgress = !isLink && before && own && isProgress(before, own, { path, ...texts });
    if (!isOwnProgress) paths.add(path);
  }
  return { paths, words: before && paths.size > 0 ? scopeChanges(before, after ?? parsePlan([])) : [] };
}

/** Git gets at most this many paths at once; a longer diff is cut. */
const MOST_PATHS = 1000;

/** As text, because the work's own `.gitattributes` could declare a file binary and hide its content. */
const verbatim = ['--no-color', '--no-ext-diff', '--no-textconv', '--text', '--no-renames'];

/** The diff of these files, as text; with a note if it is incomplete. */
export async function diffOf({ folder, base, tip }: Span, paths: string[]): Promise<string> {
  const some = paths.slice(0, MOST_PATHS).map((path) => `:(top,literal)${path}`);
  const args = ['diff', ...verbatim, '--full-index', '--end-of-options', base, tip, '--', ...some];
  const bytes = await gitBytes(folder, args, { maxBytes: limits.context, cut: true });
  const isWhole = bytes.length < limits.context && paths.length <= MOST_PATHS;
  const diff = bytes.toString('utf8');
  if (isWhole) return diff;
  const commits = `${await git(folder, ['rev-parse', '--short', base])} ${tip.slice(0, 12)}`;
  const whole = `git --no-replace-objects diff ${verbatim.join(' ')} ${commits}`;
  const note = `INCOMPLETE: the diff is too long to show here. Read all of it before you answer: ${whole}`;
  return `${note}\n\n${diff.slice(0, limits.context - 2 * note.length - 4)}\n${note}\n`;
}
