import { gitList, tryGit } from './git.ts';

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

/** Larger files are not kept. */
const MAX_BYTES = 4 * 1024 * 1024;
/** The most that is read at once. */
const MAX_BATCH_BYTES = 4 * MAX_BYTES;

type Text = { kind: 'text'; text: string } | { kind: 'too_large' };

/** The texts of files in commits, read many at once and each only once. */
export class BlobTexts {
  readonly #folder: string;
  readonly #texts = new Map<string, Text>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Call this for all files before `of`. */
  async load(files: readonly (TreeFile | undefined)[]): Promise<void> {
    const wanted = files.flatMap((file) => (file && !isSubmodule(file) ? [file.id] : []));
    let left = [...new Set(wanted)].filter((id) => !this.#texts.has(id));
    while (left.length > 0) left = left.slice(await this.#readSome(left));
  }

  /** The text of a file; empty if there is none, or if it is too large. */
  of(file: TreeFile | undefined): string {
    const known = file && this.#texts.get(file.id);
    return known?.kind === 'text' ? known.text : '';
  }

  isTooLarge(file: TreeFile | undefined): boolean {
    return file !== undefined && this.#texts.get(file.id)?.kind === 'too_large';
  }

  /** Reads some of them, and returns how many. */
  async #readSome([first = '', ...more]: string[]): Promise<number> {
    const ids = [first, ...more];
    const options = { input: ids.map((id) => `${id}\n`).join(''), maxBytes: MAX_BATCH_BYTES, cut: true };
    const { stdout } = await tryGit(this.#folder, ['cat-file', '--batch'], options);
    const texts = readBatch(stdout);
    // The first one is larger than what is read at once, or git cannot read it.
    if (texts.length === 0)
      texts.push(stdout.length < MAX_BATCH_BYTES ? { kind: 'text', text: '' } : { kind: 'too_large' });
    texts.forEach((text, at) => {
      this.#texts.set(ids[at] ?? '', text);
    });
    return texts.length;
  }
}

/** Parses the complete entries of `git cat-file --batch`: a line with id, type and size, then the content and a line end. */
function readBatch(bytes: Buffer): Text[] {
  const texts: Text[] = [];
  for (let at = 0; ; ) {
    const start = bytes.indexOf('\n', at) + 1;
    if (start === 0) return texts;
    const [, type, size = ''] = bytes.toString('latin1', at, start - 1).split(' ');
    const end = type === 'blob' ? start + Number(size) : start;
    if (end > bytes.length) return texts;
    const isLarge = end - start > MAX_BYTES;
    texts.push(isLarge ? { kind: 'too_large' } : { kind: 'text', text: bytes.toString('utf8', start, end) });
    at = type === 'blob' ? end + 1 : start;
  }
}
