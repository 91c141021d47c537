import { isBranchName } from '../../git/refs.ts';
import { requirePlanName } from '../../plan/plan-folder.ts';
import type { Consultation, ConsultedRole } from '../../schema/consultation.ts';
import type { AssignmentWork } from '../../schema/work-order.ts';
import { planKey } from '../../work/phases/phase-task.ts';
import { taskBranch } from '../../work/worktrees/worktree-branch.ts';

/** The task id and title of an assignment for workers. A new assignment with the same id replaces the old one. */
export interface AssignmentName {
  scope: string;
  title: string;
}

const roleVerbs = { analyst: 'feedback', dreamer: 'prd', planner: 'decompose' } satisfies Record<
  ConsultedRole,
  string
>;

const roleTitles = {
  analyst: 'Evaluate feedback',
  dreamer: 'Change the requirements',
  planner: 'Split a plan into phases',
} satisfies Record<ConsultedRole, string>;

const TITLE_LENGTH = 120;

export function roleName({ id, role, text }: Pick<Consultation, 'id' | 'role' | 'text'>): AssignmentName {
  const about = text.replace(/\s+/g, ' ').trim().slice(0, TITLE_LENGTH);
  return { scope: roleScope(role, id), title: `${roleTitles[role]}: ${about}` };
}

export const roleScope = (role: ConsultedRole, id: string) => `${roleVerbs[role]}:${id}`;

export type PlanAssignmentKind = Exclude<AssignmentWork['kind'], 'role' | 'review' | 'start'>;

const planTitles = {
  draft: 'Draft the plan',
  conversion: 'Convert to the plan',
  issues: 'Turn issues into the plan',
} satisfies Record<PlanAssignmentKind, string>;

/** A plan that workers write. */
export function planName(kind: PlanAssignmentKind, name: string): AssignmentName {
  requirePlanName(name);
  return { scope: `${kind}:${planKey(name)}`, title: `${planTitles[kind]} ${name}` };
}

/** A worker's first look at a plan, before its phases are in the ledger. */
export const startName = (plan: string): AssignmentName => ({
  scope: `run:${planKey(plan)}`,
  title: `Run the plan ${plan}`,
});

/** The review of a phase, by the id of its task. */
export const reviewName = (taskId: string): AssignmentName => ({
  scope: `review:${taskId.replaceAll('/', ':')}`,
  title: `Review ${taskId}`,
});

/** The branch for what an assignment writes: `main--draft-login`. */
export function assignmentBranch(feature: string, scope: string): string {
  const branch = `${feature}--${scope.replaceAll(':', '-')}`;
  return isBranchName(branch) ? branch : taskBranch(feature, scope);
}
