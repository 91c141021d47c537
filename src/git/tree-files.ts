import { gitList } from './git.ts';

/** An entry of a commit: a file, a link, or the commit of a submodule. */
export interface TreeFile {
  path: string;
  mode: string;
  /** The id of its content: the same bytes have the same id. */
  id: string;
}

/** How a path differs between two commits. */
export interface TreeChange {
  path: string;
  /** Modes, contents and kind of change, as git reports them. */
  raw: string;
  before: TreeFile | undefined;
  after: TreeFile | undefined;
}

const NONE = '000000';

export const isLink = (file: TreeFile | undefined) => file?.mode === '120000';
export const isSubmodule = (file: TreeFile | undefined) => file?.mode === '160000';

export async function filesAt(folder: string, commit: string): Promise<TreeFile[]> {
  const entries = await gitList(folder, ['ls-tree', '-r', '-z', '--full-tree', '--end-of-options', commit]);
  return entries.map((entry) => {
    const tab = entry.indexOf('\t');
    const [mode = '', , id = ''] = entry.slice(0, tab).split(' ');
    return { path: entry.slice(tab + 1), mode, id };
  });
}

export async function changesBetween(folder: string, base: string, tip: string): Promise<TreeChange[]> {
  const args = ['diff', '--raw', '-z', '--no-renames', '--no-abbrev', '--end-of-options', base, tip, '--'];
  const parts = await gitList(folder, args);
  return parts.flatMap((raw, index) => {
    const path = parts[index + 1];
    if (index % 2 === 1 || path === undefined) return [];
    const [old = '', now = '', oldId = '', nowId = ''] = raw.slice(1).split(' ');
    const side = (mode: string, id: string) => (mode === NONE ? undefined : { path, mode, id });
    return [{ path, raw, before: side(old, oldId), after: side(now, nowId) }];
  });
}

/** All files of the earlier commit, from those of the later one and the changes between them. */
export function filesBefore(after: readonly TreeFile[], changes: readonly TreeChange[]): TreeFile[] {
  const changed = new Set(changes.map(({ path }) => path));
  const replaced = changes.flatMap(({ before }) => before ?? []);
  return [...after.filter(({ path }) => !changed.has(path)), ...replaced];
}
