import { join } from 'node:path';
import { findRepository } from '../../config/repository.ts';
import type { Settings } from '../../config/settings.ts';
import { lookAround } from '../../work/phases/find-plan.ts';
import { findPhaseAtWork, type PhaseAtWork } from '../../work/phases/phase-at-work.ts';
import { openPlanPlace, type PlanPlace, type Surroundings } from '../../work/phases/plan-place.ts';
import { placeAt } from '../../work/worktrees/place.ts';
import type { CommonOptions } from '../command.ts';
import { withSession } from '../session.ts';

export interface PlanOptions extends CommonOptions {
  plan?: string;
}

/** With the settings of the folder that the command was called in. */
type Here<T> = T & { settings: Settings };

/** Runs `work` with the plan that is meant here. */
export function withPlan<T>(options: PlanOptions, work: (place: Here<PlanPlace>) => Promise<T>): Promise<T> {
  return withSurroundings(options, async (around) =>
    work({ ...(await openPlanPlace(around, options.plan)), settings: around.settings }),
  );
}

/** Runs `work` with one phase of that plan. */
export function withPhase<T>(
  options: PlanOptions,
  number: string,
  variant: string | undefined,
  work: (place: Here<PlanPlace>, at: PhaseAtWork) => Promise<T>,
): Promise<T> {
  return withPlan(options, (place) => work(place, findPhaseAtWork(place.plan, place.name, number, variant)));
}

/** The same before there is a plan. */
export function withSurroundings<T>(
  options: CommonOptions,
  work: (around: Here<Surroundings>) => Promise<T>,
): Promise<T> {
  return withSession(options, async (session) => {
    const { id: projectId, root } = await session.project();
    const { ledger, settings } = session;
    const by = session.by('command');
    const cwd = process.cwd();
    const git = findRepository(cwd) ? placeAt(cwd, settings, { ledger, projectId, by }) : undefined;
    const storage = join(settings.home.value, 'projects', projectId);
    return work({
      settings,
      ledger,
      projectId,
      by,
      cwd,
      storage,
      git,
      ...(await lookAround(git, root ?? cwd)),
    });
  });
}
