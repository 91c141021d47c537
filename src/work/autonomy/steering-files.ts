import { effectiveAtOnce, steeringKinds } from './steering-table.ts';

const rows = steeringKinds.flatMap(({ why, files }) =>
  Object.entries(files).map(([program, names]) => ({ why: why(program), names: names.split(' ') })),
);
const reasons = rows.map(({ why, names }) => ({ why, pattern: patternOf(names) }));
const all = patternOf(rows.flatMap(({ names }) => names));
const atOnce = patternOf(effectiveAtOnce.split(' '));
/** The folders in names such as `.github/workflows/`. */
const parents = patternOf(
  rows.flatMap(({ names }) => names.flatMap((name) => parentsOf(name.replace(/\/$/, '')))),
);

/** Why a change to this file needs a person's approval before the merge; undefined if it does not. */
export function steeringReason(path: string): string | undefined {
  const name = plain(path);
  return all.test(name) ? reasons.find(({ pattern }) => pattern.test(name))?.why : undefined;
}

/** Whether it already takes effect in the worktree, so that a person has to see it before it is written. */
export const steersAtOnce = (path: string) => atOnce.test(plain(path));

/** The folder in a name of the table that this path ends with: `.github` for a name such as `.github/workflows/`. */
export const steeringParent = (path: string): string | undefined => parents.exec(plain(path))?.[1];

/**
 * The path as seen by a file system that ignores case, invisible characters, dots and blanks at the end of a name, or what
 * follows a colon, and takes backslashes for slashes.
 */
export function plain(path: string): string {
  return path
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    .split(/[/\\]/)
    .map((part) => (/^\.+$/.test(part) ? part : part.replace(/:.*$/s, '').replace(/(?<![. ])[. ]+$/, '')))
    .join('/');
}

/** Matches these names anywhere in a path, in time linear in its length: no part of a name has two stars. */
function patternOf(names: string[]): RegExp {
  const sources = names.map((name) => {
    const source = plain(name).replaceAll('.', '\\.').replaceAll('*', '[^/]*');
    return source.endsWith('/') ? `${source.slice(0, -1)}(?:/|$)` : `${source}$`;
  });
  return new RegExp(`(?:^|/)(${sources.join('|')})`);
}

function parentsOf(name: string): string[] {
  const parts = name.split('/');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'));
}
