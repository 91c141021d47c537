import { findCycles } from '../../plan/audit/cycles.ts';
import { idKey } from '../../plan/grammar/phase-id.ts';
import { type Plan, taskCounts } from '../../plan/grammar/plan.ts';
import { type Status, statuses } from '../../plan/grammar/status.ts';
import { cmd } from '../../schema/command-line.ts';
import type { Task } from '../../schema/task.ts';
import { isDebug } from './front-matter.ts';
import { type LostMerge, lostMerges } from './lost-merges.ts';
import { type PhaseTask, phaseTasks } from './phase-task.ts';
import type { PlanContext } from './plan-context.ts';
import { tasksOfPlan } from './tasks.ts';

/** A variant of a phase and its current status: from the ledger if it was started, otherwise from the files. */
export interface Standing {
  at: PhaseTask;
  status: Status;
  task: Task | undefined;
  waitsFor: string[];
  tasks: { done: number; total: number };
}

/** The status of all phases, as `plan status` prints it. */
export async function planStatus(planContext: PlanContext): Promise<object> {
  const lost = await lostMerges(planContext);
  const all = (await standings(planContext)).map((each) => withoutLost(each, lost));
  const counts = Object.fromEntries(statuses.map((status) => [status, 0])) as Record<Status, number>;
  for (const { status } of all) counts[status] += 1;
  const { title, problems } = planContext.plan;
  return {
    title,
    plan: { name: planContext.name, folder: planContext.folder },
    feature_branch: planContext.here.featureBranch ?? null,
    counts,
    phases: all.map(standingJson),
    problems: [
      ...problems.map(({ code, message, file, span: { line } }) => ({ code, message, file, line })),
      ...all.flatMap(({ at }) => lostProblem(at, lost.get(at.taskId))),
    ],
  };
}

/** A phase whose merge was removed from the branch is not done. */
const withoutLost = (standing: Standing, lost: ReadonlyMap<string, LostMerge>): Standing =>
  standing.status === 'completed' && lost.has(standing.at.taskId)
    ? { ...standing, status: 'blocked' }
    : standing;

function lostProblem({ number, variant, taskId, phase }: PhaseTask, lost: LostMerge | undefined): object[] {
  if (!lost) return [];
  const { commit, featureBranch } = lost;
  const name = variant ? `${number}-${variant}` : phase.id;
  const message = `Phase ${name} was merged with commit ${commit.slice(0, 12)}, but ${featureBranch} no longer contains it. Restore the branch, or do the phase again: ${cmd`tasks reopen ${taskId}`}`;
  return [{ code: 'NOT_IN_BRANCH', message, file: phase.path, line: null }];
}

/** The ready phases: fixes first, then in plan order, always with all variants of a number. */
export async function planNext(planContext: PlanContext, most: number | undefined): Promise<object> {
  const all = await standings(planContext);
  const ready = all
    .filter(canStart)
    .sort((a, b) => Number(isDebug(b.at.front)) - Number(isDebug(a.at.front)));
  const numbers = [...new Set(ready.map(({ at }) => at.number))].slice(0, most);
  const next = numbers.flatMap((number) => ready.filter(({ at }) => at.number === number));
  const waiting = all.filter((each) => each.status === 'pending' && !canStart(each));
  return {
    next: next.map(standingJson),
    count: next.length,
    ...(most === undefined ? {} : { requested: most }),
    waiting: waiting.map(standingJson),
    completed: all.every(({ status }) => status === 'completed'),
  };
}

/** Whether the phases can be done in some order, and if not, why. */
export function validateDependencies({ plan }: PlanContext): object {
  const index = new Map(plan.phases.map(({ id }, at) => [idKey(id), at]));
  const graph = plan.phases.map(({ dependsOn }) =>
    dependsOn.flatMap(({ id }) => (id === null ? [] : (index.get(idKey(id)) ?? []))),
  );
  const { cycles, rest } = findCycles(graph);
  const name = (node: number) => plan.phases[node]?.id ?? '?';
  const missing = plan.phases.flatMap(({ id, dependsOn }) =>
    dependsOn
      .filter(({ known }) => !known)
      .map((each) => ({ phase: id, depends_on: each.id ?? each.text, line: each.span.line })),
  );
  return {
    valid: cycles.length === 0 && rest.length === 0 && missing.length === 0,
    cycles: cycles.map((cycle) => cycle.map(name)),
    groups: rest.map((group) => group.map(name)),
    missing,
  };
}

type PlanOnLedger = Pick<PlanContext, 'ledger' | 'projectId' | 'name' | 'plan'>;

export async function standings(planContext: PlanOnLedger): Promise<Standing[]> {
  const tasks = await tasksOfPlan(planContext);
  const all = phaseTasks(planContext.plan, planContext.name).map((at) => ({
    at,
    status: statusNow(at, tasks.get(at.taskId)),
  }));
  const done = new Map<string, boolean>();
  for (const { at, status } of all) {
    for (const key of new Set([idKey(at.phase.id), idKey(at.number)])) {
      done.set(key, (done.get(key) ?? true) && status === 'completed');
    }
  }
  return all.map(({ at, status }) => ({
    at,
    status,
    task: tasks.get(at.taskId),
    tasks: taskCounts({ file: at.phase.file, status }),
    waitsFor: at.phase.dependsOn
      .filter(({ id }) => id === null || done.get(idKey(id)) !== true)
      .map(({ id, text }) => id ?? text),
  }));
}

/** The plan with the current status of each phase; one with variants is as far as the least of them. */
export async function planAsItStands(around: PlanOnLedger): Promise<Plan> {
  const all = await standings(around);
  const phases = around.plan.phases.map((phase) => {
    const own = all.filter(({ at }) => at.phase.path === phase.path && at.phase.id === phase.id);
    const status = own.find((each) => each.status !== 'completed')?.status ?? own[0]?.status;
    return { ...phase, status: status ?? phase.status };
  });
  return { ...around.plan, phases };
}

export function statusNow({ phase, variants }: PhaseTask, task: Task | undefined): Status {
  switch (task?.status) {
    case 'closed':
      return 'completed';
    case 'in_progress':
      return phase.status === 'awaiting_human' && variants.length === 0 ? 'awaiting_human' : 'running';
    case 'blocked':
      return 'blocked';
    case 'open':
      return 'pending';
    case undefined:
      return phase.status;
  }
}

function canStart({ at, status, waitsFor }: Standing): boolean {
  return status === 'pending' && waitsFor.length === 0 && at.phase.file !== undefined;
}

function standingJson({ at, status, task, tasks, waitsFor }: Standing): object {
  const { phase, number, variant, front, taskId } = at;
  return {
    id: variant ? `${number}-${variant}` : phase.id,
    title: phase.title,
    path: phase.path,
    variant,
    status,
    debug: isDebug(front),
    tasks,
    waits_for: waitsFor,
    task: taskId,
    holder: task?.assignee ?? null,
  };
}
