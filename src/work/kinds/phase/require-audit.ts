import { shownPath } from '../../../files/real-path.ts';
import { auditPlan } from '../../../plan/audit/audit-plan.ts';
import { gatherSurroundings } from '../../../plan/audit/gather-surroundings.ts';
import type { Issue } from '../../../plan/audit/rule.ts';
import { placeholderLeft } from '../../../plan/audit/rules/placeholders.ts';
import { cmd } from '../../../schema/command-line.ts';
import { FermataError } from '../../../schema/error.ts';
import type { PlanContext } from '../../phases/plan-context.ts';

/**
 * Throws if the plan fails the audit or still has placeholders, because an agent would only find out later, at a higher
 * cost. Returns the warnings.
 */
export function requireAudit({ written: plan, folder, name, cwd }: PlanContext): Issue[] {
  const { issues } = auditPlan(plan, gatherSurroundings(folder, plan));
  const errors = issues.filter(stops);
  if (errors.length === 0) return issues;
  const some = errors
    .slice(0, 5)
    .map(({ code, message, file, line }) => `  ${file}:${line} ${code}: ${message}`);
  throw new FermataError(
    'conflict',
    `${name} fails the audit, so it does not run:\n${some.join('\n')}\nFix it ("${cmd`audit ${shownPath(folder, cwd)}`}" lists all errors), or run it anyway with --skip-audit.`,
    { details: { issues: errors } },
  );
}

const stops = ({ severity, code }: Issue) => severity === 'error' || code === placeholderLeft.code;
