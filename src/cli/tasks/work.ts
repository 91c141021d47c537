import type { Command } from 'commander';
import { parseMilliseconds } from '../../config/duration.ts';
import { cmd } from '../../schema/command-line.ts';
import { visible } from '../../schema/visible.ts';
import type { SaidAgent } from '../../work/agent/choose-agent.ts';
import type { TaskReport } from '../../work/kinds/task/task-report.ts';
import { withAgentOptions, withTimeOptions } from '../agents/agent-options.ts';
import { type CommonOptions, collect } from '../command.ts';
import { type CommandContext, withTrustedCommandContext } from '../command-context.ts';
import { appContextOf } from '../context.ts';
import { print, printJson } from '../output.ts';
import { refuseAgent, takesPipe } from '../pipe.ts';
import { type QueueFlags, refuseStrayNeeds, withQueueOptions } from '../queue-options.ts';
import { type TrustOptions, withTrustOption } from '../trust/trust-options.ts';

interface WorkOptions extends CommonOptions, SaidAgent, TrustOptions, QueueFlags {
  into?: string;
  wait?: true;
  allow?: string[];
  gateTimeout: string;
  timeout: string;
  parkAfter: string;
  backgroundWait: string;
  prompt: boolean;
  sandbox?: true;
  review: boolean;
}

export function defineWork(tasks: Command): void {
  withQueueOptions(
    withTimeOptions(
      withTrustOption(
        withAgentOptions(
          tasks
            .command('work')
            .summary('have an agent do a task, and merge the result')
            .description(
              "Have an agent work on a task without a plan, in its own worktree. Fermata runs the project's checks, asks you before it merges if your autonomy level says so, and closes the task.",
            )
            .argument('<id>', 'the task'),
          'claude',
          'the agent that began the task, else claude',
        ),
      ),
    ),
    'the task',
  )
    .option('--into <branch>', 'merge into this branch (default: the branch that is checked out)')
    .option('--no-review', 'merge without the review that the protocol requires (FERMATA_NO_REVIEW=1 in CI)')
    .option('--wait', 'keep running while the task is waiting for a person (always on at a terminal)')
    .option(
      '--allow <tool>',
      'a tool that the agent may use without asking, such as Bash (repeatable)',
      collect,
    )
    .option('--gate-timeout <duration>', 'how long each check may take', '10m')
    .option(
      '--sandbox',
      'run the agent and the checks in a sandbox (bubblewrap) that can change only the worktree',
    )
    .option('--no-prompt', 'do not ask in this terminal, only wait')
    .addHelpText(
      'after',
      `
Examples:
  fermata tasks work t3
  fermata tasks work t3 --agent codex --into develop

The same command continues after an answer, a failure or a crash.
Exit codes: 0 merged and closed, 1 failed, 3 waiting for an answer, 4 the agent could not run, 130 interrupted.`,
    )
    .action((id: string, options: WorkOptions) => {
      const usesPipe = takesPipe();
      return withTrustedCommandContext(options, (context) => work(context, id, options, usesPipe));
    });
}

async function work(
  commandContext: CommandContext,
  id: string,
  options: WorkOptions,
  usesPipe: boolean,
): Promise<void> {
  if (usesPipe) refuseAgent(commandContext);
  const { agent, agentGiven, timeout, wait, format, queue, ...said } = options;
  refuseStrayNeeds(options);
  const wanted = {
    ...said,
    ...(agentGiven ? { agent } : {}),
    gateTimeoutMs: parseMilliseconds(options.gateTimeout, '--gate-timeout'),
    parkAfterMs: parseMilliseconds(options.parkAfter, '--park-after'),
    backgroundWaitMs: parseMilliseconds(options.backgroundWait, '--background-wait'),
    timeoutMs: parseMilliseconds(timeout, '--timeout'),
  };
  const stop = new AbortController();
  const { AttendedRun } = await import('../run/attended-run.ts');
  const { prompt } = options;
  const { parkAfterMs } = wanted;
  const attended = new AttendedRun(commandContext, stop, { prompt, wait, usesPipe, parkAfterMs });
  const context = { ...appContextOf(commandContext, options), ask: attended.asker, report: attended.report };
  if (queue) {
    const { queueTask } = await import('../../work/kinds/task/queue-task.ts');
    const queued = await queueTask(context, id, wanted);
    if (format === 'json') return printJson(queued);
    const { needs, into } = queued;
    return print(`${id} is queued for workers with ${needs.join(', ')}, and will be merged into ${into}.`);
  }
  const { workOnTask } = await import('../../work/kinds/task/work-on-task.ts');
  const { exitCodes } = await import('../run/report.ts');
  const report = await workOnTask(context, id, { ...wanted, signal: stop.signal });
  if (format === 'json') await printJson(report);
  else await print(reportText(report));
  process.exitCode = exitCodes[report.result];
}

/** The report in a few lines, with what to do next. */
function reportText(report: TaskReport): string {
  const { result, task, title, reason, into, worktree, open } = report;
  if (result === 'done') return visible(`${task} is done and merged into ${into}: ${title}`);
  const lines = [`${task} is not done: ${title}`];
  if (result === 'failed')
    lines.push(
      `Stopped: ${(reason ?? '').split('\n')[0]}`,
      ...(worktree ? [`  Look at it in ${worktree}`] : []),
    );
  for (const { id, question } of open)
    lines.push(`Waiting for you: ${question.split('\n')[0]}`, `  ${cmd`answer ${id}`}`);
  lines.push(`Continue with: ${cmd`tasks work ${task}`}`);
  return visible(lines.join('\n'));
}
