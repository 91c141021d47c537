import { quoted } from '../../agents/shell-words.ts';
import { auditPlan } from '../../planning/audit/audit-plan.ts';
import { gatherSurroundings } from '../../planning/audit/gather-surroundings.ts';
import { FermataError } from '../../schema/error.ts';
import type { PlanPlace } from '../../work/phases/plan-place.ts';

/** A plan that fails the audit is not run: an agent would find out the same later, and dearer. */
export async function requireAudit({ plan, folder, name }: PlanPlace): Promise<void> {
  const { issues } = auditPlan(plan, gatherSurroundings(folder, plan));
  const errors = issues.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return;
  const some = errors
    .slice(0, 5)
    .map(({ code, message, file, line }) => `  ${file}:${line} ${code}: ${message}`);
  throw new FermataError(
    'conflict',
    `${name} fails the audit and is not run:\n${some.join('\n')}\nCorrect it ("fermata audit ${quoted(folder)}" shows all), or run it all the same with --skip-audit.`,
    { details: { issues: errors } },
  );
}
