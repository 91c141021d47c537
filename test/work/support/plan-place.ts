import { join } from 'node:path';
import type { By } from '../../../src/schema/actor.ts';
import { locateFeature } from '../../../src/work/phases/find-plan.ts';
import { openPlanContext } from '../../../src/work/phases/open-plan-context.ts';
import { findPhaseTask, type PhaseTask } from '../../../src/work/phases/phase-task.ts';
import type { PlanContext, Surroundings } from '../../../src/work/phases/plan-context.ts';
import { ann } from '../../ledger/support/people.ts';
import { type PhaseText, planFiles } from './plan-project.ts';
import { commit, freshRepository, type TestRepository } from './repository.ts';

export interface PlannedRepository extends TestRepository {
  /** The surroundings of a command that is called in a folder. */
  around(folder?: string, by?: By): Promise<Surroundings>;
  /** The plan that a command there would use. */
  plan(folder?: string, named?: string): Promise<PlanContext>;
  phase(number: string, variant?: string): Promise<{ planContext: PlanContext; at: PhaseTask }>;
}

/** A repository on branch `login` with plans in it, committed. */
export async function plannedRepository(plans: Record<string, PhaseText[]>): Promise<PlannedRepository> {
  const repository = await freshRepository();
  const { main, home, ledger } = repository;
  for (const [name, phases] of Object.entries(plans)) commit(main, name, planFiles(phases, name));
  const around = async (folder = main, by: By = ann): Promise<Surroundings> => {
    const git = repository.from(folder);
    const { projectId } = git;
    const storage = join(home, 'projects', projectId);
    return { ledger, projectId, by, cwd: folder, storage, git, ...(await locateFeature(git, main)) };
  };
  const plan = async (folder = main, named?: string) => openPlanContext(await around(folder), named);
  const phase = async (number: string, variant?: string) => {
    const planContext = await plan();
    return { planContext, at: findPhaseTask(planContext.plan, planContext.name, number, variant) };
  };
  return { ...repository, around, plan, phase };
}

/** Why something was refused, in one word. */
export async function refusedAs(attempt: Promise<unknown> | (() => unknown)): Promise<string> {
  try {
    await (typeof attempt === 'function' ? attempt() : attempt);
  } catch (error) {
    return (error as { type?: string; code?: string }).type ?? String((error as Error).message);
  }
  return 'accepted';
}
