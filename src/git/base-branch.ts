import { Refusal } from '../schema/refusal.ts';
import { tryGit } from './git.ts';
import { commitOf, forkOf } from './refs.ts';

/** What is checked out, and what it is compared with. */
export interface Base {
  head: string;
  base: {
    /** Git's name for it: `login`, or `origin/main` if only the remote has it. */
    branch: string;
    commit: string;
    /** Null in a shallow clone that does not reach it, and if the histories have nothing in common. */
    mergeBase: string | null;
  };
}

/** The branch that work is compared with: the feature branch of a worktree, else main, master or the remote's default branch. */
export async function findBase(folder: string, feature: string | undefined): Promise<Base> {
  const local = [...(feature === undefined ? [] : [feature]), 'main', 'master'];
  const found =
    (await firstOf(folder, 'refs/heads/', local)) ??
    (await firstOf(folder, 'refs/remotes/', await remoteDefaults(folder)));
  if (found) return found;
  if ((await commitOf(folder, 'HEAD')) === undefined) throw noCommit(folder);
  throw new Refusal(
    'no_base',
    'No base branch found: there is no main or master, and no remote with a default branch.',
    {
      suggestion: 'Run "git fetch origin && git remote set-head origin --auto".',
      code: 'not_found',
    },
  );
}

async function firstOf(folder: string, prefix: string, branches: string[]): Promise<Base | undefined> {
  for (const branch of branches) {
    const fork = await forkOf(folder, 'HEAD', `${prefix}${branch}`);
    if (fork) return { head: fork.tip, base: { branch, commit: fork.other, mergeBase: fork.base ?? null } };
  }
  return undefined;
}

async function remoteDefaults(folder: string): Promise<string[]> {
  const { code, stdout } = await tryGit(folder, ['symbolic-ref', '--quiet', 'refs/remotes/origin/HEAD']);
  const named = code === 0 ? [stdout.toString('utf8').trim().replace('refs/remotes/', '')] : [];
  return [...named, 'origin/main', 'origin/master'];
}

function noCommit(folder: string): Refusal {
  return new Refusal('no_commit', `${folder} has no commits yet.`, {
    suggestion: 'Commit something first.',
  });
}
