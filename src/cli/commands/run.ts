import type { Command } from 'commander';
import { parseMilliseconds } from '../../config/duration.ts';
import { FermataError } from '../../schema/error.ts';
import type { Standing } from '../../schema/task.ts';
import { tasksWithin } from '../../work/phases/phase-at-work.ts';
import { requireAgent, type SaidAgent, withAgentOptions } from '../agents/choose.ts';
import { isAtTerminal } from '../at-terminal.ts';
import { type CommonOptions, collect, wholeNumber } from '../command.ts';
import { withGiven } from '../given-options.ts';
import { print, printJson, tell } from '../output.ts';
import { type Session, withSession } from '../session.ts';
import { shownPath } from '../shown-path.ts';

interface Options extends CommonOptions, SaidAgent {
  parallel: number;
  dryRun?: true;
  resume?: true;
  skipAudit?: true;
  wait?: true;
  feature?: string;
  allow?: string[];
  gateTimeout: string;
  timeout?: string;
  parkAfter: string;
  prompt: boolean;
}

export function define(command: Command): void {
  withAgentOptions(
    command
      .description(
        'Carry out a plan: agents work on its phases side by side, each in a worktree of its own; gates are run, people are asked, and what is done is merged.',
      )
      .usage('[options] [PLAN]')
      .argument('[plan]', "the plan's folder (default: the plan of this branch)"),
  )
    .option('--parallel <number>', 'how many agents work at once', wholeNumber('--parallel', 1, 64), 2)
    .option('--dry-run', 'show what would be run, in which order; change nothing')
    .option('--resume', 'go on with a run that was stopped or waits; finished phases never run twice')
    .option('--skip-audit', 'run the plan although it fails the audit')
    .option('--wait', 'stay while all that is left waits for a person (at a terminal always so)')
    .option(
      '--feature <branch>',
      'merge into this branch (default: the one that is checked out; on main, one named like the plan)',
    )
    .option(
      '--allow <tool>',
      'a tool that agents may use without asking, such as Bash; may be given several times',
      collect,
    )
    .option('--gate-timeout <duration>', 'how long each gate command may take', '10m')
    .option('--timeout <duration>', 'how long an agent may work at a stretch')
    .option(
      '--park-after <duration>',
      'how long an agent is held in memory while it waits for an answer',
      '5m',
    )
    .option('--no-prompt', 'do not ask in this terminal, only wait')
    .addHelpText(
      'after',
      `
Examples:
  fermata run plans/login --dry-run
  fermata run plans/login --parallel 4
  fermata run --resume

Agents may read and write in their worktree, run the gate commands of their phase, commit, and call fermata. For
everything else a person is asked first (--allow names more). Two runs of one plan share its phases.
Exit codes: 0 all phases are done, 1 a phase failed, 3 it waits for answers, 4 the agent could not be run, 130 interrupted.`,
    )
    .action((plan: string | undefined, options: Options) =>
      withSession(options, (session) => run(session, plan, options)),
    );
}

async function run(session: Session, target: string | undefined, options: Options): Promise<void> {
  const { openRun } = await import('../run/open-run.ts');
  const wanted = {
    ...options,
    gateTimeoutMs: parseMilliseconds(options.gateTimeout, '--gate-timeout'),
    parkAfterMs: parseMilliseconds(options.parkAfter, '--park-after'),
    ...(options.timeout === undefined ? {} : { timeoutMs: parseMilliseconds(options.timeout, '--timeout') }),
  };
  const opened = await openRun(session, target, wanted);
  const { place, featureBranch } = opened;
  if (options.dryRun) return (await import('../run/dry-run.ts')).dryRun(place, options.format);
  if (!options.skipAudit) await (await import('../run/require-audit.ts')).requireAudit(place);
  await (await import('../run/require-protocols.ts')).requireProtocols(place);
  const { prepareRun } = await import('../run/prepare-run.ts');
  if (!(await prepareRun(opened))) {
    if (options.resume)
      throw new FermataError('invalid', `There is nothing to resume: all phases of ${place.name} are done.`);
    tell(`All phases of ${place.name} were done before; nothing is run.`);
  } else {
    await requireAgent(opened.driver, { ...opened.setup, cwd: place.git.top, mustAsk: false });
    tell(`Running ${place.name} with ${opened.driver.name}; phases are merged into ${featureBranch}.`);
  }
  const [
    { RunFollower },
    { carryPhase },
    { workThrough },
    { attended },
    { exitCodes, reportText, runReport },
  ] = await Promise.all([
    import('../run/follow-run.ts'),
    import('../../work/run/carry-phase.ts'),
    import('../../work/run/work-through.ts'),
    import('../agents/attended.ts'),
    import('../run/report.ts'),
  ]);
  const follower = new RunFollower(place);
  const planRun = {
    ...opened,
    tell: follower.tell.bind(follower),
    onEvent: follower.hear.bind(follower),
  };
  const within = tasksWithin(place.name);
  const stop = new AbortController();
  stop.signal.addEventListener('abort', () => follower.stopping());
  const asksHere = options.prompt && isAtTerminal();
  let standing: Standing;
  try {
    standing = await attended(
      session,
      {
        projectId: place.projectId,
        concerns: ({ sourceId }) => sourceId.startsWith(within),
        stop,
        prompt: options.prompt,
        onAsking: (asking) => follower.asking(asking),
      },
      () =>
        workThrough({
          ledger: place.ledger,
          projectId: place.projectId,
          by: place.by,
          within,
          parallel: options.parallel,
          stays: asksHere || options.wait === true,
          carry: (held) => carryPhase(planRun, held),
          onLost: (taskId, why) => follower.lost(taskId, why),
          signal: stop.signal,
        }),
    );
  } finally {
    follower.stop();
  }
  const report = await runReport(place, featureBranch, standing, stop.signal.aborted);
  if (options.format === 'json') await printJson(report);
  else {
    const here = { folder: shownPath(place.folder), branch: place.checkouts.branch };
    await print(withGiven(reportText(report, here)));
  }
  process.exitCode = exitCodes[report.result];
}
