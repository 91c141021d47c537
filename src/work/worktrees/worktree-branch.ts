import { createHash } from 'node:crypto';
import { isBranchName } from '../../git/branch-name.ts';
import { Refusal } from '../../schema/refusal.ts';

/** Which phase of which feature a worktree's branch is for. */
export interface WorktreeName {
  feature: string;
  phase: string;
  variant: string | null;
}

const ending = /^(.+?)(?:--|\/)implementation-(\d+(?:\.\d+)*[A-Za-z]?)(?:-([A-Za-z]))?$/;

/** `login` and phase 2, variant B: `login--implementation-2-B` (VAR-2). */
export function worktreeBranch({ feature, phase, variant }: WorktreeName): string {
  const branch = `${feature}--implementation-${phase}${variant ? `-${variant.toUpperCase()}` : ''}`;
  if (parseWorktreeBranch(branch) && isBranchName(branch)) return branch;
  throw new Refusal('invalid_name', `"${branch}" is not a valid branch name for a phase.`, {
    suggestion: 'A phase is a number such as 2, 2.1 or 2a; a variant is one letter.',
    code: 'invalid',
  });
}

/** `main` and task t3: `main--task-t3`. An id that is not valid in a branch name gets a hash. */
export function taskBranch(feature: string, taskId: string): string {
  const plain = taskId.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 80);
  const mark = createHash('sha256').update(taskId).digest('hex').slice(0, 6);
  return `${feature}--task-${plain === taskId ? plain : `${plain}-${mark}`}`;
}

/**
 * What a branch is for, judged by its name. `login/implementation-2`, which git cannot have next to a branch `login`,
 * means the same as `login--implementation-2`.
 */
export function parseWorktreeBranch(branch: string): WorktreeName | undefined {
  const [, feature, phase, variant] = ending.exec(branch) ?? [];
  if (feature === undefined || phase === undefined) return undefined;
  return { feature, phase, variant: variant?.toUpperCase() ?? null };
}
