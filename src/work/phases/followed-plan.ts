import type { Context } from '../context.ts';
import { planContent } from '../trust/gather.ts';
import { requireTrust, type TrustOptions } from '../trust/require-trust.ts';
import { openPlanContext } from './open-plan-context.ts';
import type { PlanContext } from './plan-context.ts';
import { surroundingsOf } from './surroundings.ts';

/**
 * A plan to run or follow, after a person has trusted it. Work follows the approved version, whatever its files say now;
 * only a caller that begins a phase (`begins`) gets an error about a change.
 */
export async function followedPlan(
  context: Context,
  plan: string | undefined,
  options: TrustOptions & { begins?: boolean },
): Promise<PlanContext> {
  const before = await openPlanContext(await surroundingsOf(context), plan);
  const content = planContent(before.name, options.begins ? before.written : before.plan);
  await requireTrust(context, await context.project(), [content], options);
  return options.begins ? { ...before, plan: before.written } : before;
}
