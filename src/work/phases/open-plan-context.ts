import { isTrunk } from '../../git/refs.ts';
import type { Plan } from '../../plan/grammar/plan.ts';
import { readPlan } from '../../plan/grammar/read-plan.ts';
import { Refusal } from '../../schema/refusal.ts';
import { approvedPlan } from '../plans/approved-plan.ts';
import type { Here } from '../worktrees/here.ts';
import { planOnRecord } from '../worktrees/plan-on-record.ts';
import { findPlanFolder } from './find-plan.ts';
import type { PlanContext, Surroundings } from './plan-context.ts';

/** Opens the plan of the current feature; `wanted` is a folder the caller named. */
export async function openPlanContext(around: Surroundings, wanted?: string): Promise<PlanContext> {
  const { folder, name } = await findPlanFolder(around, wanted);
  const here = await hereForPlan(around, folder);
  const written = readUsablePlan(folder);
  const plan = await approvedPlan(around.ledger, around.projectId, name, written);
  return { ...around, here, folder, name, plan, written };
}

/** On the trunk, the plan's worktrees show which branch it is merged into, because a run creates its own branch there. */
async function hereForPlan(around: Surroundings, folder: string): Promise<Here> {
  const { ledger, projectId, here } = around;
  const current = here.featureBranch;
  if (current === undefined || !isTrunk(current)) return here;
  const plan = planOnRecord(around.checkouts.feature, folder);
  const features = (await ledger.worktrees.list(projectId))
    .filter((worktree) => worktree.plan === plan && worktree.state !== 'archived')
    .map(({ featureBranch }) => featureBranch);
  const last = features.at(-1);
  if (last === undefined || features.includes(current)) return here;
  return { ...here, featureBranch: last, isFeature: false };
}

/** Throws if there is no readable master. `only`: read just these phase files. */
export function readUsablePlan(folder: string, only?: readonly string[]): Plan {
  const { plan } = readPlan(folder, only);
  const fatal = plan.problems.find(({ code }) => code.startsWith('MASTER_'));
  if (!fatal) return plan;
  const type = fatal.code === 'MASTER_NOT_FOUND' ? 'not_found' : 'unreadable_plan';
  throw new Refusal(type, `${fatal.message} (in ${folder})`, {
    suggestion: fatal.suggestion,
    code: 'invalid',
  });
}
