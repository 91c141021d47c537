import { findApproaches, writeApproach } from '../../work/discovery/approaches.ts';
import { readDesignManifest } from '../../work/discovery/design-manifest.ts';
import { findPlanFolder } from '../../work/phases/find-plan.ts';
import type { Surroundings } from '../../work/phases/plan-context.ts';
import { type PlanOptions, withPlan, withSurroundings } from './plan-context.ts';

export interface ApproachOptions extends PlanOptions {
  description?: string;
  variant?: string;
  context?: string;
  files?: string;
  questions?: string;
}

export const write = (agent: string, number: string, options: ApproachOptions) =>
  inScope(options, (place) => {
    const { description, variant, context, files, questions } = options;
    return writeApproach(place, { agent, number, description, variant, context, files, questions });
  });

export const find = (agent: string, number: string, variant: string | undefined, options: PlanOptions) =>
  inScope(options, (place) => findApproaches(place, agent, number, variant));

export const designs = (options: PlanOptions) =>
  withPlan(options, async ({ folder }) => readDesignManifest(folder));

/** Approaches belong to a feature, which may have no plan yet; outside git, to a plan. */
export async function scopeOf(around: Surroundings, plan: string | undefined): Promise<string> {
  const { featureBranch } = around.here;
  return featureBranch ?? (await findPlanFolder(around, plan)).name;
}

function inScope<T>(
  options: PlanOptions,
  work: (place: Surroundings & { scope: string }) => Promise<T>,
): Promise<T> {
  return withSurroundings(options, async (around) =>
    work({ ...around, scope: await scopeOf(around, options.plan) }),
  );
}
