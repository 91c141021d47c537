import type { Issue } from '../plan/audit/rule.ts';
import type { Attempt } from '../plan/convert/attempt.ts';
import { issueLine } from '../plan/convert/prompt.ts';
import { counted } from '../schema/counted.ts';
import type { Run } from '../schema/run.ts';
import { tell } from './output.ts';
import { oneLine } from './table.ts';

/** More would hide the rest. */
const MAX_SHOWN = 20;

/** An attempt on one line: `Attempt 1 has 2 errors to fix (3.1 s). The first: Phase 1 has no gates.` */
export function attemptLine({ number, passed, issues, durationMs }: Attempt): string {
  const errors = issues.filter(({ severity }) => severity === 'error');
  const took = `${(durationMs / 1000).toFixed(1)} s`;
  if (passed) return `Attempt ${number} passed the audit (${took}).`;
  const first = errors[0] ? ` The first: ${oneLine(errors[0].message)}` : '';
  return `Attempt ${number} has ${counted(errors.length, 'error')} to fix (${took}).${first}`;
}

/** What to do about an interrupted agent; empty if there is nothing to resume. */
export const howToResume = ({ status }: Run) =>
  status === 'waiting' ? ' Run the same command again to resume.' : '';

export function tellIssues(title: string, issues: readonly Issue[]): void {
  tellList(title, issues.map(issueLine));
}

export function tellList(title: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  const more = lines.length - MAX_SHOWN;
  tell([title, ...lines.slice(0, MAX_SHOWN), ...(more > 0 ? [`- and ${more} more`] : [])].join('\n'));
}
