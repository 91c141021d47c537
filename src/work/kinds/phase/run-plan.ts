import { homeId } from '../../../agents/run/lease.ts';
import { withGateFiles } from '../../../channels/gate-file/with-gate-files.ts';
import { steeringLevel } from '../../../config/personal-config.ts';
import { commitOf } from '../../../git/refs.ts';
import { shownAddress } from '../../../git/remote/address.ts';
import { resolveProtocol } from '../../../protocols/resolve-protocol.ts';
import { FermataError } from '../../../schema/error.ts';
import type { Notification } from '../../../schema/notification.ts';
import { requireAgent } from '../../agent/choose-agent.ts';
import { reviewerNote } from '../../agent/reviewer.ts';
import type { Context } from '../../context.ts';
import { protocolFor } from '../../phases/front-matter.ts';
import { phaseTasks, tasksWithin } from '../../phases/phase-task.ts';
import type { PlanContext } from '../../phases/plan-context.ts';
import { branchOfCheckout, bringPlan, commitPlan, isCommitted } from '../../plans/commit-plan.ts';
import { joinProject } from '../../projects/join-project.ts';
import { runTasks } from '../../run/run-tasks.ts';
import type { PlanRun } from '../../run/work-run.ts';
import type { TrustOptions } from '../../trust/require-trust.ts';
import { catchUp } from '../../worktrees/exchange/follow-feature.ts';
import { usesRemote } from '../../worktrees/exchange/remote-context.ts';
import type { Begun } from '../begun.ts';
import { executePhase } from './execute-phase.ts';
import { type OpenedRun, openRun, type RunPlanOptions } from './open-run.ts';
import { prepareRun } from './prepare-run.ts';
import { requireAudit } from './require-audit.ts';
import { type AuditBefore, type RunReport, runReport } from './run-report.ts';
import { runTrust } from './run-trust.ts';

export interface BeginRunOptions extends RunPlanOptions, TrustOptions {
  /** Whether to run a plan that fails the audit. */
  skipAudit?: boolean;
  /** Asks whether to commit a plan that is not committed to this branch; without it, the plan stays as it is. */
  commits?(plan: string, branch: string): Promise<boolean>;
  /** Whether to refuse if there is nothing left to do. */
  resume?: boolean;
  /** Stops the run cleanly: agents save their sessions, and the next run resumes them. */
  signal?: AbortSignal;
}

/**
 * A run that is ready to start. It works on the phases until all are done, or everything left waits for a person or has
 * failed.
 */
export interface BegunRun extends Begun<RunReport> {
  planContext: PlanContext;
}

/**
 * Runs a plan: agents work on its phases, each in its own worktree; gates run, people are asked, finished phases are
 * merged. The plan's folder is by default the one of the branch that is checked out.
 *
 * @example const { result, open } = await runPlan(context, 'plans/login', { agent: 'codex', parallel: 4 });
 */
export async function runPlan(
  context: Context,
  plan?: string,
  options: BeginRunOptions = {},
): Promise<RunReport> {
  return (await beginRun(context, plan, options)).carryOut();
}

/** Everything before the first agent starts. */
export async function beginRun(
  context: Context,
  plan: string | undefined,
  options: BeginRunOptions,
): Promise<BegunRun> {
  const { report } = context;
  const { run, audit, isDone, hasPlan } = await openPlanRun(context, plan, options);
  const { around: planContext, featureBranch, driver } = run;
  if (!isDone) {
    const notes = [
      ...(await requireAgent(driver, { ...run.setup, cwd: planContext.git.top, mustAsk: false })),
      ...(hasPlan ? [] : await uncommittedPlan(run.around, featureBranch)),
      ...(run.reviewer ? [reviewerNote(context, planContext.git.top, run.agent)] : []),
    ];
    const { remote } = planContext.git;
    report({
      ...{ kind: 'running', plan: planContext.name, agent: driver.name, featureBranch, notes },
      ...(remote ? { remote: `${remote.name} (${shownAddress(remote)})` } : {}),
    });
  } else {
    if (options.resume)
      throw new FermataError(
        'invalid',
        `Nothing to resume, because all phases of ${planContext.name} are done.`,
      );
    report({ kind: 'already_done', plan: planContext.name });
  }
  return { planContext, carryOut: () => carryOut(context, run, audit, options) };
}

/** A note if the feature branch does not have the plan: then whatever agents write into its folder looks new. */
async function uncommittedPlan(planContext: PlanRun['around'], branch: string): Promise<string[]> {
  if (steeringLevel(process.env) !== 'requires_approval') return [];
  if (await isCommitted(planContext, `refs/heads/${branch}`)) return [];
  return [
    'The plan is not committed, so you will have to approve the notes of each phase. To avoid that, stop, commit the plan, and run again.',
  ];
}

/**
 * Phases work on the feature branch, so the plan has to be there before the branch is cut from the checkout, or added to it.
 * True if it was there before.
 */
async function placePlan(
  { report }: Context,
  { around, featureBranch }: OpenedRun,
  { commits }: BeginRunOptions,
): Promise<boolean> {
  const { git, checkouts, name } = around;
  if (await isCommitted(around, `refs/heads/${featureBranch}`)) return true;
  const head = await commitOf(checkouts.feature, 'HEAD');
  if (head === undefined) return false;
  if (!(await isCommitted(around, head))) {
    const branch = await branchOfCheckout(around);
    if (branch === undefined || !(await commits?.(name, branch))) return false;
    await commitPlan(around);
  }
  if (!usesRemote(git) && (await bringPlan(around, featureBranch)))
    report({
      kind: 'notice',
      text: `Added the plan to ${featureBranch}, which began before the plan was committed.`,
    });
  return false;
}

/** A plan that is ready to run: audited and trusted, with its tasks in the ledger and its branch created. */
export async function openPlanRun(
  context: Context,
  plan: string | undefined,
  options: BeginRunOptions,
): Promise<{ run: PlanRun; audit: AuditBefore; isDone: boolean; hasPlan: boolean }> {
  const { report } = context;
  const opened = await openRun(context, plan, options);
  const tell = (text: string) => report({ kind: 'notice', text });
  const git = { ...(await joinProject(opened.around.git)), tell };
  const found = { ...opened, around: { ...opened.around, git } };
  const audit = auditBefore(context, found.around, options);
  await requireProtocols(found.around);
  const hasPlan = await placePlan(context, found, options);
  const trusted = { ...found, ...(await runTrust(context, found.around, options)) };
  const isDone = !(await prepareRun(context, trusted, options.signal));
  const run: PlanRun = {
    ...trusted,
    tell: ({ taskId: task, name: phase }, text) => report({ kind: 'phase', task, phase, text }),
    onEvent: ({ taskId: task, name: phase }, event) => report({ kind: 'agent', task, phase, event }),
  };
  return { run, audit, isDone, hasPlan };
}

function auditBefore(
  { report }: Context,
  planContext: PlanContext,
  { skipAudit }: BeginRunOptions,
): AuditBefore {
  if (skipAudit) return 'skipped';
  const warnings = requireAudit(planContext);
  report({ kind: 'warnings', plan: planContext.name, folder: planContext.folder, warnings });
  return { warnings };
}

const PARALLEL = 2;

async function carryOut(
  { report, ask = {}, settings }: Context,
  run: PlanRun,
  audit: AuditBefore,
  { parallel = PARALLEL, signal = new AbortController().signal }: BeginRunOptions,
): Promise<RunReport> {
  const { around: planContext, featureBranch, person } = run;
  const { ledger, projectId, by, name } = planContext;
  const within = tasksWithin(name);
  const concerns = ({ sourceId }: Notification) => sourceId.startsWith(within);
  const concern = { projectId, plan: name, concerns };
  const work = () =>
    runTasks({
      home: homeId(settings.home.value),
      ...{ ledger, projectId, by, within, parallel, signal },
      stays: () => ask.stays?.(concern) ?? false,
      execute: (held) => executePhase(run, held),
      onFault: (fault, task) => {
        const text = `${fault} Trying again …`;
        report(
          task
            ? { kind: 'phase', task: task.id, phase: task.id.slice(within.length), text }
            : { kind: 'notice', text },
        );
      },
      onLost: ({ id: task }, why) =>
        report({ kind: 'phase_lost', task, phase: task.slice(within.length), why }),
    });
  const tell = (text: string) => report({ kind: 'notice', text });
  const filed = () => withGateFiles({ ledger, projectId, concerns, person, tell }, work);
  const standing = await (ask.during ? ask.during(concern, filed) : filed());
  const { git } = planContext;
  if (usesRemote(git)) await catchUp(git, featureBranch).catch(tellProblem(tell));
  return runReport(planContext, featureBranch, standing, signal.aborted, audit);
}

/** Reports an invalid protocol once at the start instead of in each phase. */
async function requireProtocols({ plan, name, cwd }: PlanContext): Promise<void> {
  const needed = new Set(phaseTasks(plan, name).map(({ front }) => protocolFor(front)));
  for (const protocol of needed) await resolveProtocol(protocol, { folder: cwd });
}

/** The merge is at the remote, so the local branch can follow later. */
export function tellProblem(tell: (text: string) => void): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof FermataError)) throw error;
    tell(error.message);
  };
}
