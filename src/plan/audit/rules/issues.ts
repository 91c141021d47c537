import { namedIssues } from '../../grammar/named-issues.ts';
import type { Rule } from '../issue.ts';

export const uncoveredIssue: Rule = {
  code: 'UNCOVERED_ISSUE',
  severity: 'error',
  summary: 'no phase covers an issue of the plan',
  *check(plan) {
    const { metadata, issuesSpan } = plan;
    const named = namedIssues(plan);
    for (const number of metadata.githubIssues) {
      if (named.has(number)) continue;
      yield {
        message: `No phase covers issue #${number}.`,
        suggestion: `Add it to the phase that covers it, below the status line: **GitHub Issues:** #${number}`,
        file: plan.master,
        span: issuesSpan ?? { line: 1, column: 1, length: 1 },
      };
    }
  },
};
