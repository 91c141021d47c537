import type { AgentOptions } from '../../app/choose-agent.ts';
import * as app from '../../app/review.ts';
import { parseMilliseconds } from '../../config/duration.ts';
import { withTrustedCommandContext } from '../command-context.ts';
import { contextOf } from '../context.ts';
import { interruptible } from '../interrupt.ts';
import type { FollowedPlanOptions } from './plan-context.ts';

export interface ReviewOptions extends FollowedPlanOptions, Partial<AgentOptions> {
  timeout: string;
}

export function review(number: string, variant: string | undefined, options: ReviewOptions): Promise<object> {
  const timeoutMs = parseMilliseconds(options.timeout, '--timeout');
  return interruptible((signal) =>
    withTrustedCommandContext(options, (session) =>
      app.review(contextOf(session, options), number, variant, { ...options, timeoutMs, signal }),
    ),
  );
}
