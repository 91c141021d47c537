import { join, relative } from 'node:path';
import { loadSettings } from '../../config/settings.ts';
import { hasMaster, plansIn } from '../../plan/plan-folder.ts';
import { FermataError } from '../../schema/error.ts';
import { visible } from '../../schema/visible.ts';
import type { CommonOptions } from '../command.ts';

/** Which project's plans to look at. */
type Where = Pick<CommonOptions, 'project' | 'store'>;

/** The plan to look at: the named one, the one in this folder, or the project's only one. */
export function planTarget(given: string | undefined, where: Where): string {
  if (given !== undefined || hasMaster('.')) return given ?? '.';
  const plans = plansOf(where);
  if (plans.length <= 1) return plans[0] ?? '.';
  throw new FermataError('invalid', `Several plans found: ${plans.map(visible).join(', ')}. Specify one.`);
}

/** The available plans as the end of a message: ` Plans found: plans/login, plans/search.`; else empty. */
export function plansThere(where: Where): string {
  const plans = plansOf(where);
  return plans.length === 0 ? '' : ` Plans found: ${plans.map(visible).join(', ')}.`;
}

/** With paths as seen from here. */
function plansOf(where: Where): string[] {
  const plans = join(loadSettings(process.cwd(), process.env, where).project.value.root, 'plans');
  return plansIn(plans).map((name) => relative('', join(plans, name)));
}
