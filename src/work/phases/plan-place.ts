import type { Ledger } from '../../ledger/ledger.ts';
import type { Plan } from '../../planning/plan/plan.ts';
import { readPlan } from '../../planning/plan/read-plan.ts';
import type { By } from '../../schema/actor.ts';
import { isTrunk } from '../git/trunk.ts';
import { Refusal } from '../refusal.ts';
import type { Here } from '../worktrees/here.ts';
import type { Place } from '../worktrees/place.ts';
import { planOnRecord } from '../worktrees/plan-on-record.ts';
import { type Checkouts, findPlanFolder } from './find-plan.ts';

/** A plan, where it lies, and from where it is worked on. */
export interface PlanPlace {
  ledger: Ledger;
  projectId: string;
  by: By;
  /** The folder in which the command was called. */
  cwd: string;
  /** What is kept for this project outside of the repository. */
  storage: string;
  /** Undefined outside of a git repository. */
  git: Place | undefined;
  /** The number of the claim under which the caller works, where it holds the task itself. */
  fence?: number;
  here: Here;
  checkouts: Checkouts;
  /** The plan's own folder, and its name. */
  folder: string;
  name: string;
  plan: Plan;
}

export type Surroundings = Omit<PlanPlace, 'folder' | 'name' | 'plan'>;

/** Opens the plan of the current feature; `wanted` is a folder that was named. */
export async function openPlanPlace(around: Surroundings, wanted?: string): Promise<PlanPlace> {
  const { folder, name } = await findPlanFolder(around, wanted);
  const here = await hereForPlan(around, folder);
  return { ...around, here, folder, name, plan: readUsablePlan(folder) };
}

/** On the trunk, what a plan is merged into is known by its worktrees: a run makes a branch of its own there. */
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

/** Throws where there is no master that can be read. `only`: of the phases' files just these. */
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
