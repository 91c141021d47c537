import { isBranchName } from '../../git/refs.ts';
import { requirePlanName } from '../../plan/plan-folder.ts';
import { limits } from '../../schema/limits.ts';
import type { RoleKind } from '../../schema/work.ts';
import { planTaskId } from '../phases/phase-task.ts';
import { taskBranch } from '../worktrees/worktree-branch.ts';

/** The id and title of a task; the same wish again is the same task. */
export interface TaskName {
  id: string;
  title: string;
}

const roleTitles = {
  feedback: 'Evaluate feedback',
  prd: 'Change the requirements',
  decompose: 'Split a plan into phases',
} satisfies Record<RoleKind, string>;

const TITLE_LENGTH = 120;

/** The title of what a role is asked for. */
export const roleTitle = (kind: RoleKind, text: string) =>
  `${roleTitles[kind]}: ${text.replace(/\s+/g, ' ').trim().slice(0, TITLE_LENGTH)}`;

export type PlanKind = 'draft' | 'convert' | 'plan_from_issues';

const planTitles = {
  draft: 'Draft the plan',
  convert: 'Convert to the plan',
  plan_from_issues: 'Turn issues into the plan',
} satisfies Record<PlanKind, string>;

/** A plan that an agent writes into `plans/`. */
export function planName(kind: PlanKind, name: string): TaskName {
  requirePlanName(name);
  return planTaskName(kind, name);
}

/** The same for any folder. */
export const planTaskName = (kind: PlanKind, name: string): TaskName => ({
  id: planTaskId(kind, name),
  title: `${planTitles[kind]} ${name}`.slice(0, limits.taskTitle),
});

/** A worker's first look at a plan, before its phases are in the ledger. */
export const runName = (plan: string): TaskName => ({
  id: planTaskId('run', plan),
  title: `Run the plan ${plan}`,
});

/** The review of a phase, by the id of its task. */
export const reviewName = (taskId: string): TaskName => ({
  id: `review:${taskId.replaceAll('/', ':')}`,
  title: `Review ${taskId}`,
});

/** The analysis of the issues of a place. */
export const analysisName = (from: string): TaskName => ({
  id: planTaskId('analyze', from),
  title: `Find what the issues of ${from} leave open`.slice(0, limits.taskTitle),
});

/** The branch for what a task writes: `main--draft-login`. */
export function resultBranch(feature: string, scope: string): string {
  const branch = `${feature}--${scope.replaceAll(':', '-')}`;
  return isBranchName(branch) ? branch : taskBranch(feature, scope);
}
