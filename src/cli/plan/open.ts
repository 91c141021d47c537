import type { Plan } from '../../planning/plan/plan.ts';
import { readPlan } from '../../planning/plan/read-plan.ts';
import { FermataError } from '../../schema/error.ts';

/** The plan in a folder; without a master that can be read there is nothing to show. */
export function openPlan(target: string): Plan {
  const { plan, folder } = readPlan(target);
  const fatal = plan.problems.find(({ code }) => code.startsWith('MASTER_'));
  if (!fatal) return plan;
  throw new FermataError('invalid', `${fatal.message} (in ${folder}) ${fatal.suggestion}`, {
    details: { code: fatal.code },
  });
}
