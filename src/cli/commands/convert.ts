import type { Command } from 'commander';
import { parseMilliseconds } from '../../config/duration.ts';
import type { SaidAgent } from '../../work/agent/choose-agent.ts';
import type { Source } from '../../work/kinds/convert.ts';
import { withAgentOptions } from '../agents/agent-options.ts';
import { type CommonOptions, wholeNumber } from '../command.ts';
import { withCommandContext } from '../command-context.ts';
import { appContextOf } from '../context.ts';
import { interruptible } from '../interrupt.ts';
import { lineView } from '../line-view.ts';
import { tell } from '../output.ts';
import { takesPipe } from '../pipe.ts';
import { printQueued, type QueueFlags, refuseStrayNeeds, withQueueOptions } from '../queue-options.ts';
import { type TrustOptions, withTrustOption } from '../trust/trust-options.ts';

interface Options extends CommonOptions, SaidAgent, TrustOptions, QueueFlags {
  output?: string;
  maxIterations: number;
  timeout: string;
  force?: true;
  requireFidelity?: true;
}

export function define(command: Command): void {
  withQueueOptions(withTrustOption(withAgentOptions(command)), 'the conversion')
    .description(
      'Turn a free-form plan into a plan of phases that passes the audit. An agent rewrites it; each attempt gets the audit findings of the previous one.',
    )
    .argument('<source>', 'the free-form plan: a text file, or - for stdin')
    .option('--output <dir>', 'where the plan goes (default: plans/NAME in the project)')
    .option(
      '--max-iterations <number>',
      'the maximum number of attempts',
      wholeNumber('--max-iterations', 1, 20),
      3,
    )
    .option('--timeout <duration>', 'how long one attempt may take', '2m')
    .option('--force', 'replace an existing plan, and keep it as a backup next to the new one')
    .option('--require-fidelity', 'reject a plan that lost something from its source')
    .addHelpText(
      'after',
      `
Default model: haiku with claude; other agents use their own default.

Examples:
  fermata convert notes/roadmap.md
  fermata convert roadmap.md --output plans/q3 --force --require-fidelity
  cat roadmap.md | fermata convert - --agent command --agent-command ./my-model --format json

If it is interrupted, or the model is unavailable, run the same command again to resume.
Exit codes: 0 written, 1 no attempt passed, 2 wrong arguments or unreadable source, 4 the agent could not run, 130 interrupted.`,
    )
    .action(async (file: string, options: Options) => {
      const timeoutMs = parseMilliseconds(options.timeout, '--timeout');
      if (takesPipe()) tell('fermata: convert does not ask questions, so it does not use the pipe.');
      refuseStrayNeeds(options);
      const { convert } = await import('../../work/kinds/convert.ts');
      const { reportConvert } = await import('../convert/report.ts');
      const { readSource } = await import('../convert/source.ts');
      const source = await readSource(file);
      const { force: replace, maxIterations: maxAttempts } = options;
      if (options.queue) return queueConversion(source, { ...options, timeoutMs });
      await interruptible((signal) =>
        withCommandContext(options, async (context) => {
          const view = lineView();
          const appContext = { ...appContextOf(context, options), report: view.report };
          const wanted = { ...options, replace, maxAttempts, timeoutMs, signal };
          await reportConvert(
            appContext,
            await convert(appContext, source, wanted).finally(view.close),
            options,
          );
        }),
      );
    });
}

async function queueConversion(source: Source, options: Options & { timeoutMs: number }): Promise<void> {
  const [{ queuePlanning }, { workerPlan }, { planNameOf }] = await Promise.all([
    import('../../work/worker/queue-work.ts'),
    import('../../work/worker/worker-path.ts'),
    import('../../work/kinds/convert.ts'),
  ]);
  const { force: replace, requireFidelity, maxIterations: maxAttempts } = options;
  await withCommandContext(options, async (commandContext) => {
    const context = appContextOf(commandContext, options);
    const plan = workerPlan(context, options.output, planNameOf(source));
    const input = { plan, text: source.text, replace, requireFidelity, maxAttempts };
    await printQueued(await queuePlanning(context, { kind: 'convert', input }, options), options);
  });
}
