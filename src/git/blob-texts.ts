import { tryGit } from './git.ts';
import { isSubmodule, type TreeFile } from './tree-files.ts';

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
