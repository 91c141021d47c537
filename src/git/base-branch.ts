import { Refusal } from '../schema/refusal.ts';
import { tryGit } from './git.ts';
import { commitOf } from './refs.ts';

export interface Base {
  /** Git's name for it: `login`, or `origin/main` if only the remote has it. */
  branch: string;
  commit: string;
}

/** The branch that work is compared with: the feature branch of a worktree, else main, master or the remote's default branch. */
export async function findBase(folder: string, feature: string | undefined): Promise<Base> {
  const refs = [
    ...(feature === undefined ? [] : [`refs/heads/${feature}`]),
    'refs/heads/main',
    'refs/heads/master',
  ];
  for (const ref of refs) {
    const commit = await commitOf(folder, ref);
    if (commit !== undefined) return { branch: ref.replace('refs/heads/', ''), commit };
  }
  const remote = await remoteDefault(folder);
  if (remote) return remote;
  throw new Refusal(
    'no_base',
    'No base branch found: there is no main or master, and no remote with a default branch.',
    {
      suggestion: 'Run "git fetch origin && git remote set-head origin --auto".',
      code: 'not_found',
    },
  );
}

async function remoteDefault(folder: string): Promise<Base | undefined> {
  const { code, stdout } = await tryGit(folder, ['symbolic-ref', '--quiet', 'refs/remotes/origin/HEAD']);
  const named = code === 0 ? [stdout.toString('utf8').trim()] : [];
  for (const ref of [...named, 'refs/remotes/origin/main', 'refs/remotes/origin/master']) {
    const commit = await commitOf(folder, ref);
    if (commit !== undefined) return { branch: ref.replace('refs/remotes/', ''), commit };
  }
  return undefined;
}
