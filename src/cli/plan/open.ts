import type { Plan } from '../../plan/grammar/plan.ts';
import { readPlan } from '../../plan/grammar/read-plan.ts';
import { FermataError } from '../../schema/error.ts';
import type { CommonOptions } from '../command.ts';
import { plansThere, planTarget } from './target.ts';

/** The plan in a folder; without a master that can be read there is nothing to show. */
export function openPlan(target: string | undefined, options: CommonOptions): Plan {
  const { plan, folder } = readPlan(planTarget(target, options));
  const fatal = plan.problems.find(({ code }) => code.startsWith('MASTER_'));
  if (!fatal) return plan;
  const others = fatal.code === 'MASTER_NOT_FOUND' ? plansThere(options) : '';
  throw new FermataError('invalid', `${fatal.message} (in ${folder}) ${fatal.suggestion}${others}`, {
    details: { code: fatal.code },
  });
}
