import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fermataIdentity } from '../../git/commit.ts';
import { git, tryGit } from '../../git/git.ts';
import { branchTip, isAncestor, moveRef } from '../../git/refs.ts';
import { Refusal } from '../../schema/refusal.ts';

/** A free name: `archive/<branch>`, with a number if that is taken. */
export async function freeArchiveName(commonDir: string, branch: string): Promise<string> {
  if ((await branchTip(commonDir, 'archive')) !== undefined) {
    throw new Refusal(
      'archive_in_the_way',
      `Cannot create archive/${branch} because there is a branch named "archive".`,
      {
        suggestion: 'Rename it ("git branch -m archive old-archive"), and try again.',
      },
    );
  }
  for (let number = 1; ; number++) {
    const name = `archive/${branch}${number === 1 ? '' : `-${number}`}`;
    if ((await branchTip(commonDir, name)) === undefined) return name;
  }
}

/** Makes sure that the archive has the commit and the branch, with its reflog and its settings. */
export async function archive(
  commonDir: string,
  name: string,
  branch: string,
  commit: string,
): Promise<void> {
  if ((await branchTip(commonDir, name)) === undefined) await copyBranch(commonDir, branch, name, commit);
  for (;;) {
    const now = await branchTip(commonDir, name);
    if (now === undefined || now === commit || (await isAncestor(commonDir, commit, now))) return;
    const to = (await isAncestor(commonDir, now, commit)) ? commit : await both(commonDir, commit, now);
    if (await moveRef(commonDir, `refs/heads/${name}`, to, now, `fermata: archive ${branch}`)) return;
  }
}

/** Like `git branch --copy`, which refuses a branch that is being rebased; then we copy its history here. */
async function copyBranch(commonDir: string, branch: string, name: string, commit: string): Promise<void> {
  if ((await tryGit(commonDir, ['branch', '--copy', '--end-of-options', branch, name])).code === 0) return;
  const [log, copy] = [branch, name].map((each) => join(commonDir, 'logs/refs/heads', each)) as [
    string,
    string,
  ];
  if (existsSync(log)) {
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(log, copy);
  }
  await git(commonDir, ['branch', '--no-track', '--end-of-options', name, commit]);
}

/** Combines the earlier archive with the current state: the current files, and both histories. */
function both(commonDir: string, now: string, before: string): Promise<string> {
  const args = ['commit-tree', '-p', now, '-p', before, '-m', 'Archived again', `${now}^{tree}`];
  return git(commonDir, args, { env: fermataIdentity() });
}

/** Deletes a branch and its settings, if the branch has not moved. */
export async function deleteBranch(commonDir: string, branch: string, tip: string): Promise<void> {
  const { code } = await tryGit(commonDir, ['update-ref', '-d', `refs/heads/${branch}`, tip]);
  if (code === 0) await tryGit(commonDir, ['config', '--local', '--remove-section', `branch.${branch}`]);
}
