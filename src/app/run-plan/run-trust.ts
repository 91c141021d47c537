import { protocolFor } from '../../work/phases/front-matter.ts';
import { phaseTasks } from '../../work/phases/phase-task.ts';
import type { PlanRun } from '../../work/run/plan-run.ts';
import {
  broughtAgentFiles,
  broughtPlan,
  broughtPrompts,
  followedProtocols,
} from '../../work/trust/gather.ts';
import { changedAgentFiles } from '../../work/trust/worktree-files.ts';
import type { Context } from '../context.ts';
import { requireTrust, type TrustOptions } from '../trust.ts';

/**
 * A person has trusted all that a run follows before it begins: so the plan is the one of its files. Whether the rest is
 * still the same has to be confirmed for each agent, because those files are read again.
 */
export async function runTrust(
  context: Context,
  planContext: PlanRun['around'],
  options: TrustOptions,
): Promise<Pick<PlanRun, 'around' | 'confirmTrust'>> {
  const project = await context.project();
  const protocols = new Set(
    phaseTasks(planContext.written, planContext.name).map(({ front }) => protocolFor(front)),
  );
  const followed = async () => [
    ...(await followedProtocols(planContext.cwd, protocols)),
    ...broughtPrompts(planContext.cwd, ['coder']),
    ...broughtAgentFiles(planContext.git.top),
  ];
  await requireTrust(
    context,
    project,
    [...(await followed()), broughtPlan(planContext.name, planContext.written)],
    options,
  );
  return {
    around: { ...planContext, plan: planContext.written },
    confirmTrust: async (worktree) => {
      const changed = await changedAgentFiles(context.ledger, project.id, worktree);
      const brought = [...(await followed()), ...changed];
      // The person is not interrupted at work: what is new waits in the inbox.
      await requireTrust({ ...context, ask: {} }, project, brought, { neverInAdvance: true });
    },
  };
}
