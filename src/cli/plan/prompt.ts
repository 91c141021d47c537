import { readDecided } from '../../work/decided/read-decided.ts';
import { readPrompt } from '../../work/phases/prompt.ts';
import { type FollowedPlanOptions, type PlanOptions, withFollowedPhase, withPhase } from './plan-context.ts';

/** All decisions, which `prompt` may have to cut. */
export const decisions = (number: string, variant: string | undefined, options: PlanOptions) =>
  withPhase(options, number, variant, readDecided);

export const prompt = (number: string, variant: string | undefined, options: FollowedPlanOptions) =>
  withFollowedPhase(options, number, variant, readPrompt);
