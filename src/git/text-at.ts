import { tryGit } from './git.ts';

/** A larger file is not read. */
export const MOST_BYTES = 4 * 1024 * 1024;

/** What a file said in a commit; empty where there is none, or it is too large. */
export async function textAt(folder: string, commit: string, path: string): Promise<string> {
  const options = { maxBytes: MOST_BYTES + 1, cut: true };
  const { code, stdout } = await tryGit(folder, ['show', '--end-of-options', `${commit}:${path}`], options);
  return code === 0 && stdout.length <= MOST_BYTES ? stdout.toString('utf8') : '';
}
