import type { AgentOptions } from '../../app/choose-agent.ts';
import * as app from '../../app/review.ts';
import { parseMilliseconds } from '../../config/duration.ts';
import { withTrustedCommandContext } from '../command-context.ts';
import { appContextOf } from '../context.ts';
import { interruptible } from '../interrupt.ts';
import type { FollowedPlanOptions } from './plan-context.ts';

export interface ReviewOptions extends FollowedPlanOptions, Partial<AgentOptions> {
  timeout: string;
}

export function review(number: string, variant: string | undefined, options: ReviewOptions): Promise<object> {
  const timeoutMs = parseMilliseconds(options.timeout, '--timeout');
  return interruptible((signal) =>
    withTrustedCommandContext(options, (context) =>
      app.review(appContextOf(context, options), number, variant, { ...options, timeoutMs, signal }),
    ),
  );
}
