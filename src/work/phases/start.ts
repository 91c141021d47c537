import { crashPoint } from '../../ledger/crash-point.ts';
import { cmd } from '../../schema/command-line.ts';
import type { NewPhaseRecord, PhaseRecord } from '../../schema/phase-record.ts';
import { Refusal } from '../../schema/refusal.ts';
import { requireApprovedPlan } from '../plans/approved-plan.ts';
import { joinProject } from '../projects/join-project.ts';
import { planOnRecord } from '../worktrees/plan-on-record.ts';
import { fingerprintOf } from './fingerprint.ts';
import { frontMatterFault } from './front-matter.ts';
import { fenceOf, takePhase } from './hold.ts';
import type { PhaseTask } from './phase-task.ts';
import type { PlanContext } from './plan-context.ts';
import { iterationOf } from './record.ts';
import { showStatus } from './show-status.ts';
import { ensureTasks } from './tasks.ts';
import { branchFor, worktreeOf } from './worktree.ts';

export interface StartOptions {
  specialist?: string;
  worktree?: string;
}

/** Starts a phase for an agent that works without a run, and tells it where to work. */
export async function startPrompt(
  planContext: PlanContext,
  at: PhaseTask,
  options: StartOptions,
): Promise<object> {
  const { ledger, projectId } = planContext;
  const { specialist, branch, leaseUntil } = await startPhase(planContext, at, options);
  const records = await ledger.phases.list(projectId, at.taskId);
  const worktree = await worktreeOf(planContext, at, records);
  return {
    id: at.taskId,
    status: 'in_progress',
    holder: specialist,
    lease_until: leaseUntil,
    iteration: iterationOf(records.filter((each) => each.kind === 'implementation')),
    worktree: { branch, path: worktree?.path ?? null },
  };
}

interface StartedPhase {
  specialist: string;
  branch: string | null;
  leaseUntil: string | null;
}

/** Claims a phase for an agent and marks it as in progress. Safe to repeat: the same agent continues. */
export async function startPhase(
  planContext: PlanContext,
  at: PhaseTask,
  options: StartOptions,
): Promise<StartedPhase> {
  const specialist = specialistOf(options.specialist);
  const branch = branchFor(planContext, at, options.worktree);
  if (fenceOf(planContext) === undefined) {
    if (planContext.git) await joinProject(planContext.git);
    await requireApprovedPlan(planContext);
  }
  refuseUnknownDependency(at);
  refuseUnreadableFront(planContext, at);
  // A holder of a task has already recorded the whole plan.
  if (planContext.fence === undefined) await ensureTasks(planContext);
  crashPoint('start.tasks');
  const { leaseUntil } = await takePhase(planContext, at, specialist);
  crashPoint('start.taken');
  const { ledger, projectId, by } = planContext;
  const begin = (records: PhaseRecord[]): NewPhaseRecord | undefined => {
    const last = records.findLast((each) => each.kind === 'started');
    if (last && last.branch === branch && last.data.specialist === specialist) return undefined;
    const data = {
      specialist,
      plan: planOnRecord(planContext.checkouts.feature, planContext.folder),
      fingerprint: fingerprintOf(planContext, at),
    };
    return { kind: 'started', iteration: 1, data, ...(branch === null ? {} : { branch }) };
  };
  await ledger.phases.append(projectId, at.taskId, by, begin, fenceOf(planContext));
  crashPoint('start.recorded');
  await showStatus(planContext, at);
  return { specialist, branch, leaseUntil };
}

function specialistOf(name: string | undefined): string {
  const specialist = (name ?? '').trim();
  if (/^[\p{L}\p{N}][\p{L}\p{N} ._@:/-]{0,99}$/u.test(specialist)) return specialist;
  throw new Refusal(
    specialist === '' ? 'missing_specialist' : 'invalid_specialist',
    specialist === ''
      ? 'The specialist is missing.'
      : `"${specialist.slice(0, 100)}" is not a valid agent name.`,
    {
      suggestion:
        'Pass --specialist NAME: letters, digits and . _ - (a different name for each agent, such as backend_1).',
      code: 'invalid',
    },
  );
}

function refuseUnknownDependency({ phase }: PhaseTask): void {
  const unknown = phase.dependsOn.filter(({ known }) => !known).map(({ id, text }) => id ?? text);
  if (unknown.length === 0) return;
  throw new Refusal(
    'unknown_dependency',
    `Phase ${phase.id} depends on ${unknown.join(', ')}, which is not in the plan.`,
    {
      suggestion: `Fix "Depends On" in ${phase.path}; "${cmd`audit`}" shows the line.`,
    },
  );
}

/** The front matter may require a person's test, or define variants. */
function refuseUnreadableFront({ plan }: PlanContext, { phase }: PhaseTask): void {
  const fault = frontMatterFault(plan, phase);
  if (fault === undefined) return;
  throw new Refusal(
    'unreadable_front_matter',
    `The front matter of ${phase.path} is not valid YAML: ${fault}.`,
    { suggestion: 'Fix it or remove it.' },
  );
}
