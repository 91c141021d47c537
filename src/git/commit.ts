import { type GitOptions, type GitResult, gitError, tryGit } from './git.ts';
import { rereadFiles, trustIndex } from './reread-files.ts';
import { stage } from './stage.ts';
import { committedState, isUntracked, readStatus, refuseOwnAttributes, type StatusEntry } from './status.ts';

/** Commits everything uncommitted in a checkout; false if there was nothing. */
export async function commitAll(folder: string, message: string): Promise<boolean> {
  const { entries } = await readAgain(folder);
  return commit(folder, entries, message);
}

/**
 * Commits the changes to tracked files; new files are left where they are. Resolves to the commit that then contains all
 * tracked files; undefined if something changed meanwhile.
 */
export async function commitTracked(folder: string, message: string): Promise<string | undefined> {
  const { commit: before, entries } = await readAgain(folder);
  const tracked = entries.filter((entry) => !isUntracked(entry));
  const others = entries.filter(isUntracked).map(({ path }) => path);
  refuseOwnAttributes(folder, others);
  if (tracked.length === 0) return before;
  await commit(folder, tracked, message);
  return committedState(folder);
}

/** Commits what was changed in these files and folders; the rest is left as it is. */
export async function commitWithin(
  folder: string,
  paths: readonly string[],
  message: string,
): Promise<boolean> {
  const within = paths.map((path) => Buffer.from(path).toString('latin1'));
  const { entries } = await readAgain(folder);
  const meant = entries.filter(({ path }) =>
    within.some((each) => path === each || path.startsWith(`${each}/`)),
  );
  return commit(folder, meant, message);
}

/** The status of every file as it is. Git keeps in the index what it read, so that it need not do so each time. */
async function readAgain(folder: string): ReturnType<typeof readStatus> {
  await rereadFiles(folder);
  const status = await readStatus(folder, { env: { GIT_OPTIONAL_LOCKS: '1' }, withIgnored: true });
  trustIndex(folder);
  refuseOwnAttributes(folder, status.ignored);
  return status;
}

async function commit(folder: string, entries: StatusEntry[], message: string): Promise<boolean> {
  if (entries.length === 0) return false;
  await stage(folder, entries);
  const args = ['commit', '--quiet', '-F', '-'];
  const result = await tryCommitting(folder, args, { input: `${message}\n` });
  trustIndex(folder);
  if (result.code === 0) return true;
  // Git also fails if nothing is staged that differs from the last commit.
  if ((await tryGit(folder, ['diff', '--cached', '--quiet'])).code === 0) return false;
  throw gitError(args, result);
}

const FALLBACK = { NAME: 'Fermata', EMAIL: 'fermata@localhost' };
/** The exit code of git if it does not know who commits. */
const FATAL = 128;

/** Runs a git command that commits: as the person that git knows, or as Fermata if it knows nobody, so that no work is lost. */
export async function tryCommitting(
  folder: string,
  args: string[],
  options: Pick<GitOptions, 'input'>,
): Promise<GitResult> {
  const result = await tryGit(folder, args, options);
  if (result.code !== FATAL || (await isKnown(folder))) return result;
  return tryGit(folder, args, { ...options, env: fermataIdentity() });
}

const isKnown = async (folder: string) => (await tryGit(folder, ['var', 'GIT_COMMITTER_IDENT'])).code === 0;

/** Fixes author and date, so that the same content always gives the same commit. */
export function fermataIdentity(date?: string): Record<string, string> {
  const of = (role: 'AUTHOR' | 'COMMITTER') => ({
    [`GIT_${role}_NAME`]: FALLBACK.NAME,
    [`GIT_${role}_EMAIL`]: FALLBACK.EMAIL,
    ...(date === undefined ? {} : { [`GIT_${role}_DATE`]: date }),
  });
  return { ...of('AUTHOR'), ...of('COMMITTER') };
}
