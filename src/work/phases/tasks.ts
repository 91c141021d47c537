import { idKey } from '../../planning/plan/phase-id.ts';
import type { Task, TaskInput } from '../../schema/task.ts';
import { phasesAtWork, tasksWithin } from './phase-at-work.ts';
import type { PlanPlace } from './plan-place.ts';

/** Makes the whole plan known to the ledger: a task for each phase and variant, waiting for what the plan says. */
export async function ensureTasks(place: PlanPlace): Promise<void> {
  const { ledger, projectId, by, plan, name } = place;
  const all = phasesAtWork(plan, name);
  const byNumber = new Map<string, string[]>();
  for (const { number, phase, taskId } of all) {
    for (const key of new Set([idKey(number), idKey(phase.id)])) {
      byNumber.set(key, [...(byNumber.get(key) ?? []), taskId]);
    }
  }
  const inputs = all.map(
    ({ phase, variant, taskId }): TaskInput => ({
      projectId,
      id: taskId,
      title: `${phase.title}${variant ? ` (variant ${variant})` : ''}`.trim().slice(0, 1000) || taskId,
      dependsOn: [
        ...new Set(phase.dependsOn.flatMap(({ id }) => (id === null ? [] : (byNumber.get(idKey(id)) ?? [])))),
      ],
    }),
  );
  const finished = all.filter(({ phase }) => phase.status === 'completed').map(({ taskId }) => taskId);
  await ledger.tasks.ensure(projectId, inputs, new Set(finished), by);
}

/** The tasks of a plan that the ledger knows, by id. */
export async function tasksOfPlan({ ledger, projectId, name }: PlanPlace): Promise<Map<string, Task>> {
  const tasks = new Map<string, Task>();
  const within = tasksWithin(name);
  for (let after: number | undefined; ; ) {
    const page = await ledger.tasks.list(projectId, { within, after, limit: 1000 });
    for (const task of page) tasks.set(task.id, task);
    after = page.at(-1)?.position;
    if (page.length < 1000) return tasks;
  }
}
