import { join } from 'node:path';
import { isSandboxed, sandboxFolder } from '../../agents/sandbox/sandbox.ts';
import { readSmall } from '../../files/read-small.ts';
import { tryGit } from '../../git/git.ts';
import { branchTip } from '../../git/refs.ts';
import type { OpenWorktree } from '../worktrees/open-worktree.ts';

/** Copies back what a sandboxed agent committed on its own branch; ignores other branches it moved. */
export async function adoptBranch(commonDir: string, { path, branch }: OpenWorktree): Promise<void> {
  if (!isSandboxed(process.env)) return;
  const file = join(sandboxFolder(process.env, path), 'refs', 'heads', branch);
  const [commit] = /^[0-9a-f]{40,64}$/.exec(readSmall(file, 100)?.trim() ?? '') ?? [];
  const before = await branchTip(commonDir, branch);
  if (commit === undefined || before === undefined || commit === before) return;
  const isCommit = (await tryGit(commonDir, ['cat-file', '-e', `${commit}^{commit}`])).code === 0;
  if (isCommit) await tryGit(commonDir, ['update-ref', `refs/heads/${branch}`, commit, before]);
}
