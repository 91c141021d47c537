import { readAnalyst } from '../../../agents/roles/analyst-answer.ts';
import { FermataError } from '../../../schema/error.ts';
import { type Feedback, toFeedback, type WorkTask } from '../../../schema/work.ts';
import type { Context } from '../../context.ts';
import { roleTitle } from '../../worker/task-names.ts';
import { askRole, type RoleOptions, roleData, type Unfinished } from './consult-role.ts';
import { findRequest } from './find-request.ts';

type WantedFeedback = { text: string } | { resume: string | true };

/** Has the Analyst turn feedback into tasks, or into questions first. `resume` names earlier feedback. */
export async function addFeedback(
  context: Context,
  wanted: WantedFeedback,
  options: RoleOptions,
): Promise<Unfinished | { kind: 'done'; feedback: Feedback }> {
  const task = await openFeedback(context, wanted, options);
  if (task.result !== null) return { kind: 'done', feedback: toFeedback(task) };
  return askRole(context, task, options, { read: readAnalyst }, async ({ tasks, category, summary }, by) => {
    const done = await context.ledger.tasks.finish(task, { category, summary }, by, tasks);
    return { kind: 'done', feedback: toFeedback(done) };
  });
}

/** Stores new feedback, or finds the earlier feedback to resume. */
export async function openFeedback(
  context: Context,
  wanted: WantedFeedback,
  options: RoleOptions,
): Promise<WorkTask<'feedback'>> {
  const { id: projectId } = await context.project();
  if ('resume' in wanted) return findRequest(context, projectId, 'feedback', wanted.resume);
  const { text } = wanted;
  if (text.trim() === '') throw new FermataError('invalid', 'The feedback is missing. Pass it as text.');
  const work = { kind: 'feedback' as const, input: { text, ...roleData(context, options) } };
  return context.ledger.tasks.submit({ projectId, title: roleTitle('feedback', text) }, work, context.who);
}
