import { parseDuration } from '../../config/duration.ts';
import { completePhase } from '../../work/phases/complete.ts';
import { planNext, planStatus, validateDependencies } from '../../work/phases/overview.ts';
import { readPrompt } from '../../work/phases/prompt.ts';
import { readImplementation, recordImplementation } from '../../work/phases/record.ts';
import { type StartOptions, startPhase } from '../../work/phases/start.ts';
import { interruptible } from '../interrupt.ts';
import { tell } from '../output.ts';
import { type PlanOptions, withPhase, withPlan } from './plan-place.ts';

export interface RecordOptions extends PlanOptions {
  walkthrough?: string;
  iteration?: string;
  refinementReason?: string;
}

type Variant = string | undefined;

export const prompt = (number: string, variant: Variant, options: PlanOptions) =>
  withPhase(options, number, variant, readPrompt);

export const start = (number: string, variant: Variant, options: PlanOptions & StartOptions) =>
  withPhase(options, number, variant, (place, at) => startPhase(place, at, options));

export function record(number: string, variant: Variant, options: RecordOptions): Promise<object> {
  const given = readImplementation(options.walkthrough, options.iteration, options.refinementReason);
  return withPhase(options, number, variant, (place, at) => recordImplementation(place, at, given));
}

export function complete(
  number: string,
  variant: Variant,
  options: PlanOptions & { timeout: string },
): Promise<object> {
  const timeoutMs = parseDuration(options.timeout, '--timeout') * 1000;
  return interruptible((signal) =>
    withPhase(options, number, variant, (place, at) => completePhase(place, at, { timeoutMs, signal, tell })),
  );
}

export const status = (options: PlanOptions) => withPlan(options, planStatus);

export const next = (options: PlanOptions & { limit?: number }) =>
  withPlan(options, (place) => planNext(place, options.limit));

export const dependencies = (options: PlanOptions) =>
  withPlan(options, async (place) => validateDependencies(place));
