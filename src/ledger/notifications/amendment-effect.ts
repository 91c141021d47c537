import { isApproved } from '../../schema/approval.ts';
import { cmd } from '../../schema/command-line.ts';
import { isApproval, isServerForm } from '../../schema/is-question.ts';
import type { Notification } from '../../schema/notification.ts';
import type { Run } from '../../schema/run.ts';
import type { Task } from '../../schema/task.ts';
import type { Ledger } from '../ledger.ts';

/** What an amended answer causes. */
export interface AmendmentEffect {
  kind: 'not_delivered' | 'next_turn' | 'on_resume' | 'rework' | 'not_undone' | 'asker_gone';
  /** For a person: what happens now, and what they have to do. */
  message: string;
}

/** Finds the asker and says what the amendment means for it. */
export async function amendmentEffect(ledger: Ledger, amended: Notification): Promise<AmendmentEffect> {
  const { projectId, source, sourceId } = amended;
  const task = await ledger.tasks.find(projectId, sourceId);
  const [run] = await ledger.runs.of(projectId, source, sourceId);
  return effectOf(amended, task, run);
}

/** The pure part. `run` is the newest one for this asker. */
export function effectOf(
  { id, kind, sourceId, deliveredAt, responses, resume }: Notification,
  task: Pick<Task, 'status'> | undefined,
  run: Pick<Run, 'status' | 'leaseUntil'> | undefined,
  now = new Date().toISOString(),
): AmendmentEffect {
  if (deliveredAt === undefined) {
    return {
      kind: 'not_delivered',
      message: 'Nobody has received the old answer, so only the new one applies.',
    };
  }
  if (isApproval({ kind })) return { kind: 'not_undone', message: approvalMessage(responses) };
  if (isServerForm({ resume })) {
    return {
      kind: 'not_undone',
      message: 'The MCP server that asked has the old answer, and Fermata cannot tell it the new one.',
    };
  }
  if (kind === 'gate') {
    const again = task?.status === 'closed' ? ` To rework it: ${reworkOf(sourceId)}` : '';
    return {
      kind: 'not_undone',
      message: `The gate already passed with the old answer. Fermata does not undo what followed, such as a merge.${again}`,
    };
  }
  if (task?.status === 'closed') {
    return {
      kind: 'rework',
      message: `The agent used the old answer, and task ${sourceId} is closed. To rework it with the new one: ${reworkOf(sourceId)}`,
    };
  }
  if (run?.status === 'running' && (run.leaseUntil ?? '') > now) {
    return {
      kind: 'next_turn',
      message: 'The agent has the old answer. It gets the new one in its next turn.',
    };
  }
  if (task || (run && run.status !== 'ended')) {
    const what = task ? `task ${sourceId}` : 'its run';
    return {
      kind: 'on_resume',
      message: `The agent has the old answer. It gets the new one when ${what} resumes: ${cmd`run --resume`}`,
    };
  }
  return {
    kind: 'asker_gone',
    message: `The asker of ${id} received the old answer and has ended, so Fermata cannot tell it. The new answer applies the next time this is asked.`,
  };
}

function approvalMessage(responses: Notification['responses']): string {
  return responses.some(isApproved)
    ? 'The agent was refused and continued without it. It has to ask again.'
    : 'The agent already acted on the approval. Fermata cannot undo what it did, so check it yourself.';
}

const reworkOf = (task: string) => `${cmd`tasks reopen ${task}`}, then ${cmd`run`}`;
