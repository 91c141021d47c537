import type { Context } from '../../context.ts';
import { protocolFor } from '../../phases/front-matter.ts';
import { phaseTasks } from '../../phases/phase-task.ts';
import type { PlanRun } from '../../run/work-run.ts';
import { planContent } from '../../trust/gather.ts';
import type { TrustOptions } from '../../trust/require-trust.ts';
import { workTrust } from '../../trust/work-trust.ts';

/** Makes sure that a person has trusted everything a run of a plan follows before it begins, as written in the plan's files. */
export async function runTrust(
  context: Context,
  planContext: PlanRun['around'],
  options: TrustOptions,
): Promise<Pick<PlanRun, 'around' | 'confirmTrust'>> {
  const protocols = new Set(
    phaseTasks(planContext.written, planContext.name).map(({ front }) => protocolFor(front)),
  );
  const plan = planContent(planContext.name, planContext.written);
  const { confirmTrust } = await workTrust(context, planContext, { protocols, also: [plan] }, options);
  return { around: { ...planContext, plan: planContext.written }, confirmTrust };
}
