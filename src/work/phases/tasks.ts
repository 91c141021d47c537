import { allRows } from '../../ledger/engine/stored.ts';
import { idKey } from '../../plan/grammar/phase-id.ts';
import type { Plan } from '../../plan/grammar/plan.ts';
import type { Task, TaskInput } from '../../schema/task.ts';
import { planOnRecord } from '../worktrees/plan-on-record.ts';
import { phaseTasks, tasksWithin } from './phase-task.ts';
import type { PlanContext } from './plan-context.ts';

/** Records the whole plan in the ledger: a task for each phase and variant, with its dependencies. */
export async function ensureTasks(planContext: PlanContext): Promise<void> {
  const { ledger, projectId, by, plan, name, checkouts, folder } = planContext;
  const before = dependencies(plan, name);
  const all = phaseTasks(plan, name);
  const inputs = all.map(
    ({ phase, variant, taskId }): TaskInput => ({
      projectId,
      id: taskId,
      title: `${phase.title}${variant ? ` (variant ${variant})` : ''}`.trim().slice(0, 1000) || taskId,
      dependsOn: before.get(taskId) ?? [],
    }),
  );
  const finished = all.filter(({ phase }) => phase.status === 'completed').map(({ taskId }) => taskId);
  const place = { projectId, plan: planOnRecord(checkouts.feature, folder) };
  await ledger.tasks.ensure(place, inputs, new Set(finished), by);
}

/** Drops the tasks of phases that the plan no longer has, with their dependencies. */
export function dropGonePhases({ ledger, projectId, by, plan, name }: PlanContext): Promise<string[]> {
  const kept = new Set(phaseTasks(plan, name).map(({ taskId }) => taskId));
  return ledger.tasks.drop(projectId, tasksWithin(name), kept, by);
}

/** The dependencies of each task: all variants of the phases that its own phase depends on. */
export function dependencies(plan: Plan, name: string): Map<string, string[]> {
  const all = phaseTasks(plan, name);
  const byNumber = new Map<string, string[]>();
  for (const { number, phase, taskId } of all) {
    for (const key of new Set([idKey(number), idKey(phase.id)])) {
      byNumber.set(key, [...(byNumber.get(key) ?? []), taskId]);
    }
  }
  const tasksOf = (id: string | null) => (id === null ? [] : (byNumber.get(idKey(id)) ?? []));
  return new Map(
    all.map(({ phase, taskId }) => [taskId, [...new Set(phase.dependsOn.flatMap(({ id }) => tasksOf(id)))]]),
  );
}

/** The plan's tasks in the ledger, by id. */
export async function tasksOfPlan({
  ledger,
  projectId,
  name,
}: Pick<PlanContext, 'ledger' | 'projectId' | 'name'>): Promise<Map<string, Task>> {
  const within = tasksWithin(name);
  const tasks = await allRows<Task>((limit, last) =>
    ledger.tasks.list(projectId, { within, after: last?.position, limit }),
  );
  return new Map(tasks.map((task) => [task.id, task]));
}
