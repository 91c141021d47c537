import { type StartOptions, startPhase } from '../../work/phases/start.ts';
import { type PlanOptions, withPhase } from './plan-place.ts';

export const start = (number: string, variant: string | undefined, options: PlanOptions & StartOptions) =>
  withPhase(options, number, variant, (place, at) => startPhase(place, at, options));
