import { setStatus, writeEdits } from '../../plan/grammar/edit-plan.ts';
import { idKey } from '../../plan/grammar/phase-id.ts';
import type { Status } from '../../plan/grammar/status.ts';
import type { Notification } from '../../schema/notification.ts';
import type { Task } from '../../schema/task.ts';
import { readUsablePlan } from './open-plan-context.ts';
import { groupOf, type PhaseTask, taskIdOf } from './phase-task.ts';
import type { PlanContext } from './plan-context.ts';

/** The status of a phase for the plan's file, from all work on it; undefined leaves the file unchanged. */
function statusOf(tasks: Task[], gates: Notification[]): Status | undefined {
  if (tasks.length === 0) return undefined;
  if (tasks.every(({ status }) => status === 'closed')) return 'completed';
  if (gates.some(({ status }) => status === 'open')) return 'awaiting_human';
  if (tasks.some(({ status }) => status === 'in_progress')) return 'running';
  if (tasks.some(({ status }) => status === 'blocked')) return 'blocked';
  return undefined;
}

/**
 * Shows the current status of a phase in the plan's file: one line in the table and one in its own file. After a crash
 * the next process repeats it from the ledger. One at a time, so that no line is lost.
 */
export async function showStatus(planContext: PlanContext, { phase, number }: PhaseTask): Promise<void> {
  const { ledger, projectId, folder, name } = planContext;
  const ways = groupOf(planContext.plan, name, number).filter((each) => each.phase.id === phase.id);
  await ledger.projects.exclusively(projectId, async () => {
    const tasks = (await Promise.all(ways.map((each) => ledger.tasks.find(projectId, each.taskId)))).flatMap(
      (task) => task ?? [],
    );
    const askers = new Set([...ways.map(({ taskId }) => taskId), taskIdOf(name, number, null)]);
    const gates = (
      await Promise.all([...askers].map((asker) => ledger.notifications.asked(projectId, 'gate', asker)))
    ).flat();
    const status = statusOf(tasks, gates);
    if (status === undefined) return;
    const plan = readUsablePlan(folder, [phase.path]);
    if (!plan.phases.some(({ id }) => idKey(id) === idKey(phase.id))) return;
    const edits = setStatus(plan, phase.id, status);
    if (edits.length > 0) writeEdits(folder, plan, edits);
  });
}
