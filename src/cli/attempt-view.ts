import type { Attempt } from '../planning/convert/attempt-plan.ts';

/** An attempt in a line: `Attempt 1 failed with 2 errors (3.1 s).` */
export function attemptLine({ number, passed, issues, durationMs }: Attempt): string {
  const errors = issues.filter(({ severity }) => severity === 'error').length;
  const took = `${(durationMs / 1000).toFixed(1)} s`;
  if (passed) return `Attempt ${number} passed the audit (${took}).`;
  return `Attempt ${number} failed with ${errors} error${errors === 1 ? '' : 's'} (${took}).`;
}

/** Why none of them became a plan. */
export function failureLine(attempts: readonly Attempt[]): string {
  const what = attempts.some(({ auditPassed }) => auditPassed)
    ? 'kept what the source says'
    : 'passed the audit';
  return attempts.length === 1
    ? `The one attempt has not ${what}.`
    : `None of ${attempts.length} attempts has ${what}.`;
}
