import type { ProblemCode } from '../../grammar/plan.ts';
import type { Rule, Severity } from '../issue.ts';

/** A rule for problems that were already found while reading the plan. */
export function reported(code: ProblemCode, severity: Severity, summary: string): Rule {
  return {
    code,
    severity,
    summary,
    check: ({ problems }) => problems.filter((problem) => problem.code === code),
  };
}
