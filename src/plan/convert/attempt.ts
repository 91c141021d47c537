import * as z from 'zod';
import { addUsage, noUsage } from '../../agents/driver.ts';
import { Usage } from '../../schema/run.ts';
import { Issue } from '../audit/issue.ts';
import { toldIssues } from './previous-issues.ts';

/** One attempt at a plan, after it was judged. */
export const Attempt = z.object({
  number: z.number(),
  passed: z.boolean(),
  auditPassed: z.boolean(),
  files: z.array(z.string()),
  issues: z.array(Issue),
  durationMs: z.number(),
  usage: Usage,
  /** Where it is saved until an attempt passes. */
  kept: z.string(),
});
export type Attempt = z.infer<typeof Attempt>;

/** The usage of all attempts together. */
export const totalUsage = (attempts: readonly Attempt[]) =>
  attempts.reduce((sum, { usage }) => addUsage(sum, usage), noUsage);

/** An attempt as stored for the process that continues. */
export const storable = (attempt: Attempt): Attempt => ({ ...attempt, issues: toldIssues(attempt.issues) });

/** Why none of them became a plan. */
export function failureLine(attempts: readonly Attempt[]): string {
  const passed = attempts.some(({ auditPassed }) => auditPassed);
  if (attempts.length === 1)
    return passed
      ? 'The only attempt lost something from the source.'
      : 'The only attempt did not pass the audit.';
  return `None of the ${attempts.length} attempts ${passed ? 'kept everything from the source' : 'passed the audit'}.`;
}
