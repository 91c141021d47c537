import type { Command } from 'commander';
import { parseMilliseconds } from '../../config/duration.ts';
import { shownPath } from '../../files/real-path.ts';
import { counted } from '../../schema/counted.ts';
import type { SaidAgent } from '../../work/agent/choose-agent.ts';
import type { QueuedPlan } from '../../work/kinds/phase/queue-plan.ts';
import { withAgentOptions } from '../agents/agent-options.ts';
import { isAtTerminal } from '../at-terminal.ts';
import { type CommonOptions, collect, wholeNumber } from '../command.ts';
import { type CommandContext, withCommandContext, withTrustedCommandContext } from '../command-context.ts';
import { appContextOf } from '../context.ts';
import { print, printJson } from '../output.ts';
import { refuseAgent, takesPipe } from '../pipe.ts';
import { type QueueFlags, refuseStrayNeeds, withQueueOptions } from '../queue-options.ts';
import { confirmCommit } from '../settle-plan.ts';
import { type TrustOptions, withTrustOption } from '../trust/trust-options.ts';

interface Options extends CommonOptions, SaidAgent, TrustOptions, QueueFlags {
  parallel: number;
  dryRun?: true;
  resume?: true;
  skipAudit?: true;
  wait?: true;
  feature?: string;
  remote?: string;
  allow?: string[];
  gateTimeout: string;
  timeout?: string;
  parkAfter: string;
  backgroundWait: string;
  prompt: boolean;
  sandbox?: true;
  review: boolean;
}

export function define(command: Command): void {
  withQueueOptions(
    withTrustOption(
      withAgentOptions(
        command
          .description(
            'Run a plan: agents work on its phases in parallel, each in its own worktree. Fermata runs the gates, asks people, and merges finished phases.',
          )
          .usage('[options] [PLAN]')
          .argument('[plan]', "the plan's folder (default: the plan of this branch)"),
        'claude',
        "the agent of the plan's last run, else claude",
      ),
    ),
    'the plan',
  )
    .option('--parallel <number>', 'how many agents work at once', wholeNumber('--parallel', 1, 64), 2)
    .option('--dry-run', 'show what would be run, in which order; change nothing')
    .option('--resume', 'resume a run that was stopped or is waiting; finished phases never run twice')
    .option('--skip-audit', 'run the plan even if it fails the audit')
    .option(
      '--no-review',
      'merge phases without the review that their protocol requires (FERMATA_NO_REVIEW=1 in CI)',
    )
    .option('--wait', 'keep running while everything left is waiting for a person (always on at a terminal)')
    .option(
      '--feature <branch>',
      'merge into this branch (default: the current branch; on main, a branch named after the plan)',
    )
    .option(
      '--remote <name>',
      'exchange commits with other clones through this git remote; "none" turns it off (default: origin if the ledger is in PostgreSQL)',
    )
    .option('--allow <tool>', 'a tool that agents may use without asking, such as Bash (repeatable)', collect)
    .option('--gate-timeout <duration>', 'how long each gate command may take', '10m')
    .option(
      '--timeout <duration>',
      'how long an agent may work, not counting waits for answers (default: no limit)',
    )
    .option(
      '--park-after <duration>',
      'how long to keep the process of an agent that is waiting for an answer',
      '5m',
    )
    .option(
      '--background-wait <duration>',
      'how long to wait for background work of an agent that has finished',
      '30m',
    )
    .option(
      '--sandbox',
      'run agents and gate commands in a sandbox (bubblewrap) that can change only the worktree',
    )
    .option('--no-prompt', 'do not ask in this terminal, only wait')
    .addHelpText(
      'after',
      `
Examples:
  fermata run plans/login --dry-run
  fermata run plans/login --parallel 4
  fermata run --resume
  fermata run plans/login --queue

Agents may read and write in their worktree, run the gate commands of their phase, commit, and call fermata. For
everything else Fermata asks a person first (--allow adds tools). Two runs of the same plan divide its phases between them.
Exit codes: 0 all phases are done, 1 a phase failed, 3 waiting for answers, 4 the agent could not run, 130 interrupted.`,
    )
    .action((plan: string | undefined, options: Options) => {
      const usesPipe = !options.dryRun && takesPipe();
      return openedFor(options, (context) => run(context, plan, options, usesPipe));
    });
}

/** This only shows what would run, so nothing has to be trusted. */
const openedFor = (options: Options, work: (context: CommandContext) => Promise<void>) =>
  (options.dryRun ? withCommandContext : withTrustedCommandContext)(options, work);

async function run(
  context: CommandContext,
  target: string | undefined,
  options: Options,
  usesPipe: boolean,
): Promise<void> {
  if (usesPipe) refuseAgent(context);
  const { agent, agentGiven, timeout, wait, format, dryRun, queue: _, ...said } = options;
  refuseStrayNeeds(options);
  const wanted = {
    ...said,
    ...(agentGiven ? { agent } : {}),
    gateTimeoutMs: parseMilliseconds(options.gateTimeout, '--gate-timeout'),
    parkAfterMs: parseMilliseconds(options.parkAfter, '--park-after'),
    backgroundWaitMs: parseMilliseconds(options.backgroundWait, '--background-wait'),
    ...(timeout === undefined ? {} : { timeoutMs: parseMilliseconds(timeout, '--timeout') }),
  };
  const stop = new AbortController();
  const { AttendedRun } = await import('../run/attended-run.ts');
  const { prompt } = options;
  const { parkAfterMs } = wanted;
  const attended = new AttendedRun(context, stop, { prompt, wait, usesPipe, parkAfterMs });
  const appContext = { ...appContextOf(context, options), ask: attended.asker, report: attended.report };
  if (dryRun) {
    const { openRun } = await import('../../work/kinds/phase/open-run.ts');
    const { around } = await openRun(appContext, target, wanted);
    return (await import('../run/dry-run.ts')).dryRun(around, format);
  }
  if (options.queue) {
    const { queuePlan } = await import('../../work/kinds/phase/queue-plan.ts');
    return printQueued(await queuePlan(appContext, target, wanted), format);
  }
  const { beginRun } = await import('../../work/kinds/phase/run-plan.ts');
  const { exitCodes, reportText } = await import('../run/report.ts');
  const { planContext, carryOut } = await beginRun(appContext, target, {
    ...wanted,
    ...(prompt && isAtTerminal() ? { commits: confirmCommit } : {}),
    signal: stop.signal,
  });
  const report = await carryOut();
  if (format === 'json') await printJson(report);
  else {
    const here = {
      folder: shownPath(planContext.folder),
      branch: planContext.checkouts.branch,
      review: options.review,
    };
    await print(reportText(report, here));
  }
  process.exitCode = exitCodes[report.result];
}

async function printQueued(queued: QueuedPlan, format: Options['format']): Promise<void> {
  if (format === 'json') return printJson(queued);
  const { plan, phases, needs, feature_branch } = queued;
  if (phases === 0) return print(`All phases of ${plan} are already done.`);
  await print(
    `${counted(phases, 'phase')} of ${plan} ${phases === 1 ? 'is' : 'are'} queued for workers with ${needs.join(', ')}. Finished phases are merged into ${feature_branch}.`,
  );
}
