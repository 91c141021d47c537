import { type StartOptions, startPrompt } from '../../work/phases/start.ts';
import { type FollowedPlanOptions, withFollowedPhase } from './plan-context.ts';

export const start = (
  number: string,
  variant: string | undefined,
  options: FollowedPlanOptions & StartOptions,
) =>
  withFollowedPhase(
    options,
    number,
    variant,
    (planContext, at) => startPrompt(planContext, at, options),
    true,
  );
