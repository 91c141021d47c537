import { planNext, planStatus, validateDependencies } from '../../work/phases/overview.ts';
import { type PlanOptions, withPlan } from './plan-context.ts';

export const status = (options: PlanOptions) => withPlan(options, planStatus);

export const next = (options: PlanOptions & { limit?: number }) =>
  withPlan(options, (planContext) => planNext(planContext, options.limit));

export const dependencies = (options: PlanOptions) =>
  withPlan(options, async (planContext) => validateDependencies(planContext));
