import type { Command } from 'commander';
import { parseMilliseconds } from '../../config/duration.ts';
import type { AgentOptions } from '../../work/agent/choose-agent.ts';
import type { Context } from '../../work/context.ts';
import * as app from '../../work/kinds/review.ts';
import { queueReview } from '../../work/worker/queue-review.ts';
import { withProgramOptions } from '../agents/agent-options.ts';
import { attended } from '../agents/attended.ts';
import { pathOf } from '../command.ts';
import { withTrustedCommandContext } from '../command-context.ts';
import { appContextOf } from '../context.ts';
import type { FollowedPlanOptions } from '../plan/plan-context.ts';
import { asPlanCommand, planCommand } from '../plan-command.ts';
import { type QueueFlags, refuseStrayNeeds, withQueueOptions } from '../queue-options.ts';
import { withTrustOption } from '../trust/trust-options.ts';

export function define(command: Command): void {
  const path = pathOf(command);
  const review = withTrustOption(asPlanCommand(command))
    .description(
      'Have another agent review the work of a phase: the diff of its worktree, the criteria and the walkthroughs.',
    )
    .argument('<number>', 'the number of the phase')
    .argument('[variant]', 'the letter of its variant')
    .option('--plan <dir>', "the plan's folder (default: the plan of this feature)")
    .option(
      '--agent <name>',
      'the reviewer: claude, codex, gemini, scripted, or command for any program (default: the configured reviewer, else an installed agent that did not write the code, else a new session of the one that did)',
    );
  withQueueOptions(withProgramOptions(review), 'the review')
    .option('--timeout <duration>', 'how long the reviewer may work', '15m')
    .addHelpText(
      'after',
      `
Examples:
  fermata ${path} 2 A
  fermata ${path} 2 --agent codex
  fermata ${path} 2 --queue

The verdict is "passed" or "changes". Outside a terminal, or with --format json, it prints
{"status":"success","data":{"verdict",…}}. An unreadable answer is an error.`,
    )
    .action((number: string, variant: string | undefined, options: ReviewOptions) =>
      planCommand(() => reviewPhase(number, variant, options)),
    );
}

interface ReviewOptions extends FollowedPlanOptions, Partial<AgentOptions>, QueueFlags {
  timeout: string;
}

function reviewPhase(number: string, variant: string | undefined, options: ReviewOptions): Promise<object> {
  const timeoutMs = parseMilliseconds(options.timeout, '--timeout');
  refuseStrayNeeds(options);
  if (options.queue)
    return withTrustedCommandContext(options, async (context) => {
      const asked = { ...options, timeoutMs };
      return { queued: await queueReview(appContextOf(context, options), number, variant, asked) };
    });
  return withTrustedCommandContext(options, (context) => {
    const stop = new AbortController();
    const appContext = appContextOf(context, options);
    const { prompt = true } = options;
    const ask: Context['ask'] = {
      ...appContext.ask,
      during: ({ projectId, concerns }, work) =>
        attended(context, { projectId, concerns, stop, prompt }, work),
    };
    const asked = { ...options, timeoutMs, signal: stop.signal };
    return app.review({ ...appContext, ask }, number, variant, asked);
  });
}
