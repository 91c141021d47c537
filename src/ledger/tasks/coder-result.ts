import type { By } from '../../schema/actor.ts';
import type { CoderResult } from '../../schema/coder-result.ts';
import { FermataError } from '../../schema/error.ts';
import type { Notification, ResumeRecipe } from '../../schema/notification.ts';
import type { Task } from '../../schema/task.ts';
import type { Ledger } from '../ledger.ts';
import { openQuestionsOf } from '../notifications/open-questions.ts';
import type { Dropped } from '../notifications/questions.ts';

/** Why a task waits for a person's look when its Coder failed without a question. */
const CODING_FAILURE = 'Coding Failure';

const succeeded: CoderResult['status'][] = ['success', 'succeeded', 'complete', 'completed', 'done', 'ok'];

export const isSuccess = ({ status }: CoderResult) => succeeded.includes(status);

/** What a Coder is told that neither asked nor said how it went. */
export const NO_STATUS = 'Its "status" is invalid. Use "success" or "failed".';

/** Whose result it is. */
export interface CoderWork {
  projectId: string;
  taskId: string;
  /** The claim under which the Coder worked; an old one is refused. */
  fence?: number;
  resume?: ResumeRecipe;
  /** The life in which it asks; what an earlier one was answered is not asked again. */
  life?: string;
  /** The one who works on it stays: where nobody has to be asked, the claim goes on. */
  keep?: boolean;
  /** Ends the task after a success; a phase needs more than a Coder's word. Default: it is closed as a plain task. */
  close?(): Promise<Task>;
  /** Commits the work so far to the task's branch; called before the task waits. */
  commit?(): Promise<void>;
}

/**
 * Brings what a Coder said at its end to its task: with questions the task waits for their answers, in one transaction, or
 * is open again where the project lets its agents decide that alone; without, it is closed, or blocked for a person to look
 * at. A question is no failure.
 */
export async function applyCoderResult(
  ledger: Ledger,
  { projectId, taskId, fence, resume, life, keep, commit, close }: CoderWork,
  result: CoderResult,
  by: By,
): Promise<{ task: Task; notification?: Notification; dropped: Dropped[] }> {
  // Nothing is written under an old claim.
  await ledger.tasks.requireClaim(projectId, taskId, fence);
  const { questions, dropped } = openQuestionsOf(result);
  if (questions.length === 0 && result.status === undefined) throw new FermataError('invalid', NO_STATUS);
  if (result.summary?.trim()) await ledger.tasks.say(projectId, taskId, result.summary, by);
  if (questions.length > 0) {
    await commit?.();
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
