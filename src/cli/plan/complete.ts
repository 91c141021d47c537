import { parseMilliseconds } from '../../config/duration.ts';
import { completePhase } from '../../work/phases/complete.ts';
import { interruptible } from '../interrupt.ts';
import { tell } from '../output.ts';
import { type FollowedPlanOptions, withFollowedPhase } from './plan-context.ts';

export interface CompleteOptions extends FollowedPlanOptions {
  timeout: string;
}

export function complete(
  number: string,
  variant: string | undefined,
  options: CompleteOptions,
): Promise<object> {
  const timeoutMs = parseMilliseconds(options.timeout, '--timeout');
  return interruptible((signal) =>
    withFollowedPhase(options, number, variant, (planContext, at) =>
      completePhase(planContext, at, { timeoutMs, signal, tell }),
    ),
  );
}
