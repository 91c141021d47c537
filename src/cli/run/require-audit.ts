import { quoted } from '../../agents/shell-words.ts';
import { auditPlan } from '../../planning/audit/audit-plan.ts';
import { gatherSurroundings } from '../../planning/audit/gather-surroundings.ts';
import { findPlaceholders } from '../../planning/audit/placeholders.ts';
import type { Plan } from '../../planning/plan/plan.ts';
import { FermataError } from '../../schema/error.ts';
import type { PlanPlace } from '../../work/phases/plan-place.ts';
import { shownPath } from '../shown-path.ts';

/** A plan that fails the audit is not run: an agent would find out the same later, and dearer. */
export async function requireAudit({ plan, folder, name }: PlanPlace): Promise<void> {
  const { issues } = auditPlan(plan, gatherSurroundings(folder, plan));
  const unwritten = unwrittenGates(plan);
  const errors = issues.filter(
    ({ severity, file, line }) => severity === 'error' || unwritten.has(`${file}:${line}`),
  );
  if (errors.length === 0) return;
  const some = errors
    .slice(0, 5)
    .map(({ code, message, file, line }) => `  ${file}:${line} ${code}: ${message}`);
  throw new FermataError(
    'conflict',
    `${name} fails the audit and is not run:\n${some.join('\n')}\nCorrect it ("fermata audit ${quoted(shownPath(folder))}" shows all), or run it all the same with --skip-audit.`,
    { details: { issues: errors } },
  );
}

/** The lines of gates whose command is still to be filled in: they could only fail, after an agent has worked. */
function unwrittenGates({ phases }: Plan): Set<string> {
  const gates = phases.flatMap(({ file }) =>
    (file?.gates ?? []).map((gate) => ({ path: file?.path, ...gate })),
  );
  const unwritten = gates.filter(({ command }) => command && findPlaceholders(`\`${command}\``).length > 0);
  return new Set(unwritten.map(({ path, place }) => `${path}:${place.line}`));
}
