import { join, relative } from 'node:path';
import { loadSettings } from '../../config/settings.ts';
import { hasMaster, plansIn } from '../../plan/plans-in.ts';
import { FermataError } from '../../schema/error.ts';
import { visible } from '../../schema/visible.ts';
import type { CommonOptions } from '../command.ts';

/** Which project's plans are meant. */
type Where = Pick<CommonOptions, 'project' | 'store'>;

/** The plan that is to be looked at: the one that was named, the one in this folder, or the only one of the project. */
export function planTarget(given: string | undefined, where: Where): string {
  if (given !== undefined || hasMaster('.')) return given ?? '.';
  const plans = plansOf(where);
  if (plans.length <= 1) return plans[0] ?? '.';
  throw new FermataError('invalid', `Several plans found: ${plans.map(visible).join(', ')}. Specify one.`);
}

/** What there is to choose from, as the end of a message: ` Plans found: plans/login, plans/search.`; else empty. */
export function plansThere(where: Where): string {
  const plans = plansOf(where);
  return plans.length === 0 ? '' : ` Plans found: ${plans.map(visible).join(', ')}.`;
}

/** As they are called from here. */
function plansOf(where: Where): string[] {
  const plans = join(loadSettings(process.cwd(), process.env, where).project.value.root, 'plans');
  return plansIn(plans).map((name) => relative('', join(plans, name)));
}
