import type { Issue } from '../audit/issue.ts';

/** More would crowd out the rest of the prompt. */
const MAX_LISTED = 50;

/** The issues that matter for the next attempt: errors first, and no more than anybody can read. */
export function toldIssues(issues: readonly Issue[]): Issue[] {
  const errors = issues.filter(({ severity }) => severity === 'error');
  const others = issues.filter(({ severity }) => severity !== 'error');
  return [...errors, ...others].slice(0, MAX_LISTED);
}

/** What the next attempt is told about the previous one: a section of its prompt, or empty. */
export function previousIssuesSection(issues: readonly Issue[]): string {
  if (issues.length === 0) return '';
  const told = toldIssues(issues);
  const rest = issues.length - told.length;
  return `## IMPORTANT: Previous Attempt Failed Audit

The previous attempt had these issues:
${told.map(issueLine).join('\n')}
${rest > 0 ? `- and ${rest} more like these\n` : ''}
You MUST fix these issues in this attempt.
`;
}

/** `- [error] MISSING_GATES: Phase 1 has no gates defined (phase-1.md:1)` */
export function issueLine({ severity, code, message, file, line }: Issue): string {
  return `- [${severity}] ${code}: ${oneLine(message)} (${oneLine(file)}:${line})`;
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 500);
