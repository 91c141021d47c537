import { addUsage, noUsage, type Usage } from '../../agents/driver.ts';
import type { Issue } from '../audit/issue.ts';
import { toldIssues } from './previous-issues.ts';

/** One attempt at a plan, after it was judged. */
export interface Attempt {
  number: number;
  passed: boolean;
  auditPassed: boolean;
  files: string[];
  issues: Issue[];
  durationMs: number;
  usage: Usage;
  /** Where it is kept while no attempt has passed. */
  kept: string;
}

/** What all attempts together have used. */
export const totalUsage = (attempts: readonly Attempt[]) =>
  attempts.reduce((sum, { usage }) => addUsage(sum, usage), noUsage);

/** An attempt as it can be stored for a process that continues. */
export const storable = (attempt: Attempt): Attempt => ({ ...attempt, issues: toldIssues(attempt.issues) });

/** Why none of them became a plan. */
export function failureLine(attempts: readonly Attempt[]): string {
  const what = attempts.some(({ auditPassed }) => auditPassed)
    ? 'kept what the source says'
    : 'passed the audit';
  return attempts.length === 1
    ? `The only attempt did not ${what}.`
    : `None of ${attempts.length} attempts has ${what}.`;
}
