import { type PlannerAnswer, readPlanner } from '../../agents/roles/planner-answer.ts';
import type { RoleAnswer } from '../../agents/roles/role-answer.ts';
import { auditPlan } from '../audit/audit-plan.ts';
import { gatherSurroundings } from '../audit/gather-surroundings.ts';
import { previousIssuesSection } from '../convert/previous-issues.ts';
import { parsePlan } from '../grammar/parse-plan.ts';
import type { NewFile } from '../write-plan-folder.ts';
import { planFiles } from './plan-files.ts';

export interface Decomposition {
  answer: PlannerAnswer;
  files: NewFile[];
}

/** A Planner's answer, as files that pass the audit; otherwise the Planner gets the audit's findings. */
export function readDecomposition(text: string, folder: string, created: string): RoleAnswer<Decomposition> {
  const answer = readPlanner(text);
  if (answer.kind !== 'answer') return answer;
  const files = planFiles(answer.value, created);
  const plan = parsePlan(files.map(({ name, content }) => ({ path: name, text: content })));
  const { passed, issues } = auditPlan(plan, gatherSurroundings(folder, plan));
  if (passed) return { kind: 'answer', value: { answer: answer.value, files } };
  const errors = issues.filter(({ severity }) => severity === 'error');
  return {
    kind: 'unreadable',
    reason: `The plan does not pass the audit.\n\n${previousIssuesSection(errors)}`,
  };
}
