import type { Issue } from '../../issues/issue.ts';
import { issueText } from '../../issues/issue-text.ts';
import { limits } from '../../schema/limits.ts';
import type { PlanOrigin } from '../../schema/plan-origin.ts';
import type { ResolvedQuestion } from './resolved-question.ts';

/** The limits for all issue texts together, and for one of them, in characters. */
const MAX_TEXT = 4 * 1024 * 1024;
const MAX_ISSUE_TEXT = 64 * 1024;

/** What the ledger stores about the issues and questions that a plan is made from. */
export function planOrigin(
  { issues, asker }: { issues: Issue[]; asker: string },
  resolved: readonly ResolvedQuestion[],
): Pick<PlanOrigin, 'asker' | 'issues' | 'questions'> {
  const room = Math.min(MAX_ISSUE_TEXT, Math.floor(MAX_TEXT / Math.max(1, issues.length)));
  return {
    asker,
    issues: issues.map((issue) => ({
      number: issue.number,
      title: issue.title.slice(0, limits.taskTitle),
      text: issueText(issue).slice(0, room),
    })),
    questions: resolved.map(({ question, resolution }) => ({
      question: question.question,
      issues: question.issues,
      notification: resolution.notification ?? null,
      assumed: question.assumed,
      reason:
        resolution.kind === 'assumed'
          ? resolution.reason.slice(0, limits.reason)
          : 'The answer was withdrawn.',
    })),
  };
}
