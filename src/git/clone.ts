import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readSmall } from '../files/read-bounded.ts';
import { lastingId, readLastingId, writeAtOnce } from '../files/write-at-once.ts';
import { asDiskFull, diskFull } from '../schema/disk-full.ts';
import { FermataError } from '../schema/error.ts';
import { Refusal } from '../schema/refusal.ts';
import { tryGit } from './git.ts';
import type { Remote } from './remote/address.ts';
import {
  emptyRemoteGit,
  formatOf,
  isRemoteUnreachable,
  lastLines,
  remoteError,
} from './remote/remote-git.ts';

/** The id of a clone, from a file in its git directory, which `git clone` does not copy; undefined if it has none. */
export const readCloneId = (commonDir: string): string | undefined => readLastingId(fileIn(commonDir));

/** The id of a clone; creates one if it has none. */
export function cloneId(commonDir: string): string {
  try {
    return lastingId(fileIn(commonDir));
  } catch (error) {
    if (!asDiskFull(error)) throw error;
    throw diskFull(`the name of this clone could not be written to ${fileIn(commonDir)}`, { cause: error });
  }
}

/** Gives a copied folder its own id, the same for all processes that notice the copy at once. */
export function renameCopy(commonDir: string, id: string): string {
  const hex = createHash('sha256').update(`${id}\n${commonDir}`).digest('hex');
  const own = hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  writeAtOnce(fileIn(commonDir), `${own}\n`, 0o600);
  return own;
}

const fileIn = (commonDir: string) => join(commonDir, 'fermata-clone');

/** More than any normal history has. */
const MAX = 100;

/**
 * The first commits of a checkout's history; empty if it has no commits yet. A shallow clone does not have them, so its
 * remote is asked, which also has to know the commits at which the clone ends.
 */
export async function rootCommits(top: string, commonDir: string, remote?: Remote): Promise<string[]> {
  const { code, stdout } = await tryGit(top, [...listRoots, 'HEAD']);
  const ends = code === 0 ? linesOf(stdout.toString('utf8')) : [];
  const cut = new Set(linesOf(readSmall(join(commonDir, 'shallow'), MAX_SHALLOW) ?? ''));
  const roots = ends.filter((commit) => !cut.has(commit));
  const open = ends.filter((commit) => cut.has(commit));
  if (open.length === 0) return roots;
  return [...new Set([...roots, ...(await rootsBehind(commonDir, open, remote))])].slice(0, MAX);
}

const MAX_SHALLOW = 4 * 1024 * 1024;

const listRoots = ['rev-list', '--max-parents=0', `--max-count=${MAX}`];

const linesOf = (text: string) => text.split('\n').filter(Boolean);

/**
 * Throws unless these commits have the content that their names stand for: git reads a commit without checking it. Those that a
 * shallow clone does not have were checked when they were fetched.
 */
export async function requireGenuine(commonDir: string, commits: readonly string[]): Promise<void> {
  for (const commit of commits) {
    const { code, stdout } = await tryGit(commonDir, ['cat-file', 'commit', commit]);
    const header = `commit ${stdout.length}\0`;
    const hash = createHash(formatOf(commit)).update(header).update(stdout).digest('hex');
    if (code !== 0 || hash === commit) continue;
    throw new FermataError(
      'invalid',
      `The first commit ${commit} in ${commonDir} does not have the content that its name stands for. Clone the repository again.`,
    );
  }
}

/** Fetches the history of these commits without its files. */
async function rootsBehind(
  commonDir: string,
  commits: string[],
  remote: Remote | undefined,
): Promise<string[]> {
  if (!remote) throw shallow(commonDir, 'It has no remote that could be asked.');
  const wanted = commits.map((commit, index) => `${commit}:refs/heads/${index}`);
  return emptyRemoteGit(formatOf(commits[0] ?? ''), async (run) => {
    const flags = ['--quiet', '--no-tags', '--no-write-fetch-head', '--filter=tree:0'];
    const fetched = await run(['fetch', ...flags, '--', remote.address, ...wanted]);
    if (fetched.code !== 0) {
      const error = remoteError(remote, 'fetch', fetched);
      throw isRemoteUnreachable(error) ? error : shallow(commonDir, lastLines(fetched.stderr));
    }
    return linesOf((await run([...listRoots, ...commits])).stdout);
  });
}

function shallow(commonDir: string, reason: string): Refusal {
  return new Refusal(
    'shallow',
    `${commonDir} is a shallow clone, and the first commits of its history are not known. ${reason}`,
    { suggestion: 'Nothing was changed. Run "git fetch --unshallow" first.', code: 'invalid' },
  );
}
