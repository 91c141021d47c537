import { readPrompt } from '../../work/phases/prompt.ts';
import { type PlanOptions, withPhase } from './plan-place.ts';

export const prompt = (number: string, variant: string | undefined, options: PlanOptions) =>
  withPhase(options, number, variant, readPrompt);
