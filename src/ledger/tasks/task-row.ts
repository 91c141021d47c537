import type { ChatMessage, Task } from '../../schema/task.ts';
import { type TaskOptions, taskInputs, taskResults, type Work, type WorkTask } from '../../schema/work.ts';
import { iso, stored, storedJson } from '../engine/stored.ts';
import type { ChatRow, TaskRow } from '../engine/tables.ts';
import { fromNeedsText } from './abilities.ts';
import type { TaskState } from './task-machine.ts';

export function toTask(row: TaskRow, dependsOn: string[]): Task {
  return {
    id: row.id,
    projectId: row.project_id,
    kind: row.kind,
    title: row.title,
    body: row.body,
    status: row.status,
    assignee: row.assignee,
    claimedBy: row.claimed_by,
    blockReason: row.block_reason,
    dependsOn,
    priority: row.priority,
    position: row.position,
    paused: row.paused === 1,
    needs: row.needs === null ? null : fromNeedsText(row.needs),
    fence: row.fence,
    leaseUntil: row.lease_until === null ? null : iso(row.lease_until),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    closedAt: row.closed_at === null ? null : iso(row.closed_at),
  };
}

/** With what it is about, and its result. */
export function toWorkTask(row: TaskRow, dependsOn: string[]): WorkTask {
  const { kind, options, requested_by, result } = row;
  const what = (part: string) => `the ${part} of task ${row.id}`;
  return {
    ...toTask(row, dependsOn),
    ...toWork(row),
    options:
      options === null ? null : (storedJson(options, what('options'), ['featureBranch']) as TaskOptions),
    requestedBy: requested_by === null ? null : JSON.parse(requested_by),
    result:
      result === null
        ? null
        : stored<unknown>(taskResults[kind], storedJson(result, what('result')), what('result')),
  } as WorkTask;
}

export const toWork = ({ id, kind, input }: TaskRow): Work => {
  const what = `the input of task ${id}`;
  return { kind, input: stored<unknown>(taskInputs[kind], storedJson(input, what), what) } as Work;
};

export function toTaskState(row: TaskRow): TaskState {
  return {
    id: row.id,
    status: row.status,
    assignee: row.assignee,
    blockReason: row.block_reason,
    fence: row.fence,
    leaseUntil: row.lease_until,
    keptFor: row.kept_for,
    claimedBy: row.claimed_by,
    paused: row.paused === 1,
  };
}

export function toChatMessage(row: ChatRow): ChatMessage {
  return {
    id: row.id,
    taskId: row.task_id,
    at: iso(row.at),
    by: JSON.parse(row.by),
    text: row.text,
    notificationId: row.notification_id,
    delivery: row.delivery,
    interrupts: row.interrupts === 1,
  };
}
