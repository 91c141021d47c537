import { auditPlan } from '../audit/audit-plan.ts';
import type { Issue } from '../audit/issue.ts';
import type { Surroundings } from '../audit/surroundings.ts';
import type { FileBlock } from '../file-blocks.ts';
import { parsePlan } from '../grammar/parse-plan.ts';
import type { Plan } from '../grammar/plan.ts';
import { readAnswer } from './read-answer.ts';

/** An agent's answer, judged. */
export interface Assessment {
  /** The usable files. */
  files: FileBlock[];
  /** The plan has no errors, and no part of the answer was unusable. */
  auditPassed: boolean;
  issues: Issue[];
}

/** Reads the files from an answer and audits them as a plan; `edit` may change them first. */
export function assessAnswer(
  answer: string,
  surroundingsOf: (plan: Plan) => Surroundings,
  edit: (files: FileBlock[]) => FileBlock[] = (files) => files,
): Assessment {
  const { files: found, issues } = readAnswer(answer, surroundingsOf(parsePlan([])).scripts);
  const files = edit(found);
  const plan = parsePlan(files.map(({ name, content }) => ({ path: name, text: content })));
  const audit = auditPlan(plan, surroundingsOf(plan));
  return { files, auditPassed: audit.passed && issues.length === 0, issues: [...issues, ...audit.issues] };
}
