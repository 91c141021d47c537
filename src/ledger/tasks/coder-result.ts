import type { By } from '../../schema/actor.ts';
import type { CoderResult } from '../../schema/coder-result.ts';
import { FermataError } from '../../schema/error.ts';
import type { Notification, ResumeRecipe } from '../../schema/notification.ts';
import type { Task } from '../../schema/task.ts';
import type { Ledger } from '../ledger.ts';
import { openQuestionsOf } from '../notifications/open-questions.ts';
import type { Dropped } from '../notifications/questions.ts';

/** Why a task waits for a person if its Coder failed without a question. */
const CODING_FAILURE = 'Coding Failure';

const succeeded: CoderResult['status'][] = ['success', 'succeeded', 'complete', 'completed', 'done', 'ok'];

export const isSuccess = ({ status }: CoderResult) => succeeded.includes(status);

/** What a Coder gets if it neither asked nor reported how it went. */
export const NO_STATUS = 'Its "status" is invalid. Use "success" or "failed".';

/** Whose result it is. */
export interface CoderWork {
  projectId: string;
  taskId: string;
  /** The claim under which the Coder worked; an old one is refused. */
  fence?: number;
  resume?: ResumeRecipe;
  /** The life in which it asks; answers of an earlier life are not asked again. */
  life?: string;
  /** The worker keeps the task: if nobody has to be asked, the claim continues. */
  keep?: boolean;
  /** Ends the task after a success; a phase needs more than a Coder's word. Default: close it as a plain task. */
  close?(): Promise<Task>;
}

/**
 * Applies a Coder's result to its task. With questions, the task waits for their answers, in one transaction, or reopens
 * if the project lets its agents decide that alone. Without, it is closed, or blocked for a person to look at. A question
 * is not a failure.
 */
export async function applyCoderResult(
  ledger: Ledger,
  { projectId, taskId, fence, resume, life, keep, close }: CoderWork,
  result: CoderResult,
  by: By,
): Promise<{ task: Task; notification?: Notification; dropped: Dropped[] }> {
  // Writes nothing under an old claim.
  await ledger.tasks.requireClaim(projectId, taskId, fence);
  const { questions, dropped } = openQuestionsOf(result);
  if (questions.length === 0 && result.status === undefined) throw new FermataError('invalid', NO_STATUS);
  if (result.summary?.trim()) await ledger.tasks.say(projectId, taskId, result.summary, by);
  if (questions.length > 0) {
    const asked = {
      projectId,
      source: 'execute' as const,
      sourceId: taskId,
      questions,
      fence,
      resume,
      life,
      keep,
    };
    const { notification } = await ledger.notifications.create(asked, by);
    return { task: await ledger.tasks.get(projectId, taskId), notification, dropped };
  }
  const closed = close ?? (() => ledger.tasks.close(projectId, taskId, by, fence));
  const task = isSuccess(result)
    ? await closed()
    : await ledger.tasks.block(projectId, taskId, CODING_FAILURE, by, fence);
  return { task, dropped };
}
