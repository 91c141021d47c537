import { createHash, type Hash } from 'node:crypto';
import { gitError, tryGit } from './git.ts';
import type { FalseObject } from './receive-objects.ts';

/** Which commits to check: ids, full names of refs, or HEAD. */
export interface Checked {
  /** The newest commit. */
  tip: string;
  /** Commits that need no check, with everything before them. */
  known: readonly string[];
  /** Commits to check although they are known, such as the other side of a merge. */
  also?: readonly string[];
}

/**
 * Reads every new commit with all files that it contains, also those that it did not change, as git reads them, and
 * compares each object with its id. Git itself does not: whoever can write to the repository can choose what an id means.
 * Resolves to the first object that is false or missing, if there is one.
 */
export async function findFalseObject(folder: string, range: Checked): Promise<FalseObject | undefined> {
  const commits = await newCommits(folder, range);
  if ('id' in commits) return commits;
  const listing = ['rev-list', '--objects', '--no-walk=unsorted', '--missing=allow-promisor', '--stdin'];
  const listed = await tryGit(folder, listing, { input: commits.ids.map((id) => `${id}\n`).join('') });
  if (listed.code !== 0) return falseObject(listing, listed);
  const lines = listed.stdout.toString('latin1').split('\n').slice(0, -1);
  const ids = lines.map((line) => line.split(' ', 1)[0] ?? '');
  const contents = new Contents(ids);
  const reading = ['cat-file', '--batch', '--buffer'];
  const read = await tryGit(folder, reading, {
    input: ids.map((id) => `${id}\n`).join(''),
    onOutput: (bytes) => contents.add(bytes),
  });
  const at = contents.firstFalse;
  if (at === undefined && read.code !== 0) throw gitError(reading, read);
  return at === undefined ? undefined : { id: ids[at], path: pathIn(lines[at] ?? '') };
}

async function newCommits(
  folder: string,
  { tip, known, also = [] }: Checked,
): Promise<{ ids: string[] } | FalseObject> {
  const args = ['rev-list', '--stdin'];
  const input = [tip, ...known.map((id) => `^${id}`)].map((id) => `${id}\n`).join('');
  const result = await tryGit(folder, args, { input });
  if (result.code !== 0) return falseObject(args, result);
  return { ids: [tip, ...also, ...result.stdout.toString('utf8').split('\n').slice(0, -1)] };
}

/** What git says if it cannot read an object. */
function falseObject(args: string[], result: Awaited<ReturnType<typeof tryGit>>): FalseObject {
  const id = /\b[0-9a-f]{40}(?:[0-9a-f]{24})?\b/.exec(result.stderr)?.[0];
  if (id === undefined) throw gitError(args, result);
  return { id };
}

const pathIn = (line: string): string | undefined =>
  Buffer.from(line.slice(line.indexOf(' ') + 1 || line.length), 'latin1').toString('utf8') || undefined;

/** Reads the output of `git cat-file --batch`: for each object a line with id, type and size, its content, a line end. */
class Contents {
  readonly #ids: readonly string[];
  #firstFalse: number | undefined;
  #at = 0;
  #line = '';
  /** Of the object that is being read. */
  #hash: Hash | undefined;
  #left = 0;

  constructor(ids: readonly string[]) {
    this.#ids = ids;
  }

  /** Where the first object is whose content is not what its id says, or that git could not read. */
  get firstFalse(): number | undefined {
    return this.#firstFalse ?? (this.#at < this.#ids.length ? this.#at : undefined);
  }

  add(bytes: Buffer): void {
    for (let from = 0; from < bytes.length && this.#firstFalse === undefined; )
      from = this.#hash ? this.#addContent(this.#hash, bytes, from) : this.#addLine(bytes, from);
  }

  #addLine(bytes: Buffer, from: number): number {
    const end = bytes.indexOf(LINE_END, from);
    this.#line += bytes.toString('latin1', from, end < 0 ? bytes.length : end);
    if (end < 0) return bytes.length;
    const [id = '', type = '', size] = this.#line.split(' ');
    this.#line = '';
    if (id !== this.#ids[this.#at] || size === undefined) this.#firstFalse = this.#at;
    this.#hash = createHash(id.length === SHA1_LENGTH ? 'sha1' : 'sha256').update(`${type} ${size}\0`);
    this.#left = Number(size);
    return end + 1;
  }

  #addContent(hash: Hash, bytes: Buffer, from: number): number {
    const end = Math.min(from + this.#left, bytes.length);
    hash.update(bytes.subarray(from, end));
    this.#left -= end - from;
    if (end === bytes.length) return end;
    if (hash.digest('hex') === this.#ids[this.#at]) this.#at++;
    else this.#firstFalse = this.#at;
    this.#hash = undefined;
    return end + 1; // the line end
  }
}

const LINE_END = 10;
const SHA1_LENGTH = 40;
