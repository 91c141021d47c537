import { type GitOptions, type GitResult, tryGit } from './git.ts';

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
