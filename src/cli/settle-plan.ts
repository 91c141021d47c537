import { Refusal } from '../schema/refusal.ts';
import type { Context } from '../work/context.ts';
import { openPlanContext } from '../work/phases/open-plan-context.ts';
import { surroundingsOf } from '../work/phases/surroundings.ts';
import { branchOfCheckout, commitPlan, isCommitted } from '../work/plans/commit-plan.ts';
import { planContent } from '../work/trust/gather.ts';
import { requireTrust, trustsAll } from '../work/trust/require-trust.ts';
import { confirm } from './confirm.ts';
import { tell } from './output.ts';

/**
 * Lets the person at this terminal approve a plan that was just written, and commit it, so that a run asks only about
 * what changes after that. Without one, the run asks.
 */
export async function settlePlan(context: Context, folder: string): Promise<void> {
  if (!context.ask?.now || trustsAll(context, {})) return;
  const place = await openPlanContext(await surroundingsOf(context), folder);
  const { git, name, written } = place;
  tell('');
  try {
    await requireTrust(context, await context.project(), [planContent(name, written)]);
  } catch (error) {
    if (!(error instanceof Refusal) || !['rejected', 'needs_approval'].includes(error.type)) throw error;
    tell(error.message);
    return;
  }
  if (git && !(await isCommitted({ ...place, git }, 'HEAD'))) await offerCommit({ ...place, git });
}

async function offerCommit(place: Parameters<typeof commitPlan>[0]): Promise<void> {
  const branch = await branchOfCheckout(place);
  if (branch !== undefined && (await confirmCommit(place.name, branch))) await commitPlan(place);
}

/** Agents work on commits, so a plan that is in none would look new to them. */
export const confirmCommit = (plan: string, branch: string) =>
  confirm(`Commit the plan ${plan} to ${branch}, where its run begins?`, { usually: true });
