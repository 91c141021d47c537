import type { By } from '../schema/actor.ts';
import type { CoderResult } from '../schema/coder-result.ts';
import type { Notification } from '../schema/notification.ts';
import type { Task } from '../schema/task.ts';
import type { Ledger } from './ledger.ts';
import { normalizeQuestions } from './questions.ts';

/** Why a task waits for a person's look when its Coder failed without a question. */
const CODING_FAILURE = 'Coding Failure';

const succeeded: CoderResult['status'][] = ['success', 'completed', 'done'];

/**
 * Brings what a Coder said at its end to its task: with questions the task waits for their answers, in one transaction;
 * without, it is closed, or blocked for a person to look at.
 */
export async function applyCoderResult(
  ledger: Ledger,
  of: { projectId: string; taskId: string; fence?: number },
  result: CoderResult,
  by: By,
): Promise<{ task: Task; notification?: Notification }> {
  const { projectId, taskId, fence } = of;
  await ledger.tasks.get(projectId, taskId);
  if (result.summary?.trim()) await ledger.tasks.say(projectId, taskId, result.summary, by);
  const questions = questionsOf(result);
  if (questions.length > 0) {
    const asked = { projectId, source: 'execute' as const, sourceId: taskId, questions, fence };
    const { notification } = await ledger.notifications.create(asked, by);
    return { task: await ledger.tasks.get(projectId, taskId), notification };
  }
  const task = succeeded.includes(result.status)
    ? await ledger.tasks.close(projectId, taskId, by, fence)
    : await ledger.tasks.block(projectId, taskId, CODING_FAILURE, by, fence);
  return { task };
}

/** An empty list under one name leaves the other one to count. */
function questionsOf({ open_questions, openQuestions }: CoderResult): unknown[] {
  const given = open_questions && open_questions.length > 0 ? open_questions : (openQuestions ?? []);
  return normalizeQuestions(given, '').questions.length > 0 ? given : [];
}
