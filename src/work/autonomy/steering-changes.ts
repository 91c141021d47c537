import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { isAbsolute, normalize, relative, sep } from 'node:path';
import { git, gitBytes } from '../../git/git.ts';
import { hooksPaths } from '../../git/hooks-paths.ts';
import { commitOf } from '../../git/refs.ts';
import {
  type BlobTexts,
  filesAt,
  filesBefore,
  isLink,
  isSubmodule,
  type TreeChange,
  type TreeFile,
} from '../../git/tree-files.ts';
import { listCheckouts } from '../../git/worktree-list.ts';
import { parsePlan } from '../../plan/grammar/parse-plan.ts';
import { limits } from '../../schema/limits.ts';
import { drawn } from '../../schema/visible.ts';
import { installChanges } from './install-changes.ts';
import { masterAt, planAt } from './plan-at.ts';
import { isProgress, type OwnPhase } from './plan-progress.ts';
import { scopeChanges } from './scope-changes.ts';
import type { Span } from './span.ts';
import { plain, steeringParent, steeringReason } from './steering-files.ts';
import { SteeringLinks, withParents } from './steering-links.ts';
import { otherSteering } from './steering-table.ts';

/** Changes to files that run programs or steer agents. */
export interface SteeringChanges {
  /** What they mean for the plan, and the files with the reason why each waits. */
  words: string[];
  diff: string;
  /** A hash of every file's new content, because an approval applies only to that. */
  hash: string;
}

/** The most files that are named with their reasons. */
const MAX_WORDS = 1000;

/** Finds them; undefined if there are none. */
export async function steeringChanges(
  span: Span,
  changes: TreeChange[],
  texts: BlobTexts,
  own?: OwnPhase,
): Promise<SteeringChanges | undefined> {
  const [after, hooks] = await Promise.all([filesAt(span.folder, span.tip), hooksFolders(span.folder)]);
  const trees = { before: filesBefore(after, changes), after };
  const linked = new SteeringLinks();
  for (const tree of [trees.before, after]) await linked.add(tree, texts);
  const plan = await editedPlan(span.folder, trees, own, changes, texts);
  const installing = await installChanges(changes, texts);
  const reason = ({ path, ...sides }: TreeChange): string | undefined => {
    const isLinked = isLink(sides.before) || isLink(sides.after);
    if (plan.paths.has(path)) return otherSteering.plan.why;
    if (hooks.size > 0 && withParents(plain(path)).some((each) => hooks.has(each)))
      return otherSteering.hooksPath.why;
    if (isLinked && steeringParent(path) !== undefined) return otherSteering.link.why;
    if (isSubmodule(sides.after)) return otherSteering.submodule.why;
    return (
      steeringReason(path) ??
      linked.reason(path) ??
      (installing.has(path) ? otherSteering.install.why : undefined)
    );
  };
  const found = changes.flatMap((change) => {
    const why = reason(change);
    return why === undefined ? [] : [{ ...change, why }];
  });
  if (found.length === 0) return undefined;
  const hash = createHash('sha256')
    .update(found.map(({ raw, path }) => `${raw}\0${path}\0`).join(''))
    .digest('hex');
  const paths = found.map(({ path }) => path);
  const more = found.length - MAX_WORDS;
  const words = [
    ...plan.words,
    // A name must not look like two lines.
    ...found.slice(0, MAX_WORDS).map(({ path, why }) => `${path.replaceAll('\n', drawn('\n'))}: ${why}`),
    ...(more > 0 ? [`and ${more} more files`] : []),
  ];
  return { words, diff: await diffOf(span, paths), hash };
}

/** The folders of git's hooks, as configured by the repository or the person, as paths in a checkout. */
async function hooksFolders(folder: string): Promise<Set<string>> {
  const set = (await hooksPaths(folder)).map((path) => path.replace(/^~(?=\/)/, homedir()));
  const tops = set.some(isAbsolute) ? (await listCheckouts(folder)).map(({ path }) => path) : [];
  return new Set(
    set
      .flatMap((path) => (isAbsolute(path) ? tops.map((top) => relative(top, path)) : [normalize(path)]))
      .map((path) => path.split(sep).join('/').replace(/\/$/, ''))
      .filter((path) => path !== '' && path !== '.' && !path.startsWith('..') && !isAbsolute(path))
      .map(plain),
  );
}

/** Files of plans with changes beyond the progress of the phase itself, and what these changes mean. */
async function editedPlan(
  folder: string,
  trees: { before: TreeFile[]; after: TreeFile[] },
  own: OwnPhase | undefined,
  changes: TreeChange[],
  texts: BlobTexts,
): Promise<{ paths: Set<string>; words: string[] }> {
  const isPlan = ({ path }: TreeChange) =>
    (own !== undefined && path.startsWith(`${own.folder}/`)) ||
    /^plans\/|(?:^|\/)master_plan\.md$/i.test(path);
  const edited = changes.filter(isPlan);
  // The path alone does not show which files belong to a plan in the top folder.
  if (own?.folder !== '.' && edited.length === 0) return { paths: new Set(), words: [] };
  const masters = own ? [masterAt(trees.before, own.folder), masterAt(trees.after, own.folder)] : [];
  await texts.load([...masters, ...edited.flatMap(({ before, after }) => [before, after])]);
  const before = own && (await planAt(trees.before, own.folder, texts));
  const after = own && (await planAt(trees.after, own.folder, texts));
  // Work that began before the plan was committed.
  const ordered = before ?? (own && (await planAt(await filesOf(folder, own.feature), own.folder, texts)));
  const listed = new Set(
    [before, after].flatMap((plan) => (plan ? [plan.master, ...plan.phases.map(({ path }) => path)] : [])),
  );
  const candidates =
    own?.folder === '.' ? changes.filter((change) => isPlan(change) || listed.has(change.path)) : edited;
  await texts.load(candidates.flatMap((change) => [change.before, change.after]));
  const isOwnProgress = (change: TreeChange) => {
    const file = { path: change.path, before: texts.of(change.before), after: texts.of(change.after) };
    return !isLink(change.after) && ordered && own && isProgress(ordered, own, file);
  };
  const paths = new Set(candidates.filter((change) => !isOwnProgress(change)).map(({ path }) => path));
  return { paths, words: before && paths.size > 0 ? scopeChanges(before, after ?? parsePlan([])) : [] };
}

const filesOf = async (folder: string, ref: string) =>
  (await commitOf(folder, ref)) === undefined ? [] : filesAt(folder, ref);

/** Git gets at most this many paths at once; a longer diff is cut. */
const MAX_PATHS = 1000;

/** As text, because the work's own `.gitattributes` could declare a file binary and hide its content. */
const verbatim = ['--no-color', '--no-ext-diff', '--no-textconv', '--text', '--no-renames'];

/** The diff of these files, as text; with a note if it is incomplete. */
export async function diffOf({ folder, base, tip }: Span, paths: string[]): Promise<string> {
  const some = paths.slice(0, MAX_PATHS).map((path) => `:(top,literal)${path}`);
  const args = ['diff', ...verbatim, '--full-index', '--end-of-options', base, tip, '--', ...some];
  const bytes = await gitBytes(folder, args, { maxBytes: limits.context, cut: true });
  const isWhole = bytes.length < limits.context && paths.length <= MAX_PATHS;
  const diff = bytes.toString('utf8');
  if (isWhole) return diff;
  const commits = `${await git(folder, ['rev-parse', '--short', base])} ${tip.slice(0, 12)}`;
  const whole = `git --no-replace-objects diff ${verbatim.join(' ')} ${commits}`;
  const note = `INCOMPLETE: the diff is too long to show here. Read all of it before you answer: ${whole}`;
  return `${note}\n\n${diff.slice(0, limits.context - 2 * note.length - 4)}\n${note}\n`;
}
