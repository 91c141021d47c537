import { tryGit } from './git.ts';

const FALLBACK = { NAME: 'Fermata', EMAIL: 'fermata@localhost' };

/** Who commits: the person that git knows, or Fermata where it knows nobody (work must not be lost for that). */
export async function committer(folder: string): Promise<Record<string, string>> {
  return (await tryGit(folder, ['var', 'GIT_COMMITTER_IDENT'])).code === 0 ? {} : fermataIdentity();
}

/** Everything about who and when, so that the same content always has the same commit. */
export function fermataIdentity(date?: string): Record<string, string> {
  const of = (role: 'AUTHOR' | 'COMMITTER') => ({
    [`GIT_${role}_NAME`]: FALLBACK.NAME,
    [`GIT_${role}_EMAIL`]: FALLBACK.EMAIL,
    ...(date === undefined ? {} : { [`GIT_${role}_DATE`]: date }),
  });
  return { ...of('AUTHOR'), ...of('COMMITTER') };
}
