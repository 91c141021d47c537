import type { AgentOptions } from '../../app/choose-agent.ts';
import * as app from '../../app/review.ts';
import { parseMilliseconds } from '../../config/duration.ts';
import { withTrustedCommandContext } from '../command-context.ts';
import { appContextOf } from '../context.ts';
import { interruptible } from '../interrupt.ts';
import { type QueueFlags, refuseStrayNeeds } from '../queue-options.ts';
import type { FollowedPlanOptions } from './plan-context.ts';

export interface ReviewOptions extends FollowedPlanOptions, Partial<AgentOptions>, QueueFlags {
  timeout: string;
}

export function review(number: string, variant: string | undefined, options: ReviewOptions): Promise<object> {
  const timeoutMs = parseMilliseconds(options.timeout, '--timeout');
  refuseStrayNeeds(options);
  if (options.queue)
    return withTrustedCommandContext(options, async (context) => {
      const { queueReview } = await import('../../app/worker/queue-review.ts');
      const asked = { ...options, timeoutMs };
      return { queued: await queueReview(appContextOf(context, options), number, variant, asked) };
    });
  return interruptible((signal) =>
    withTrustedCommandContext(options, (context) =>
      app.review(appContextOf(context, options), number, variant, { ...options, timeoutMs, signal }),
    ),
  );
}
