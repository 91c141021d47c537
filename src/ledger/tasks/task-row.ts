import type { ChatMessage, Task } from '../../schema/task.ts';
import { iso } from '../engine/stored.ts';
import type { ChatRow, TaskRow } from '../engine/tables.ts';
import { fromNeedsText } from './abilities.ts';
import type { TaskState } from './task-machine.ts';

export function toTask(row: TaskRow, dependsOn: string[]): Task {
  return {
    id: row.id,
    projectId: row.project_id,
    title: row.title,
    body: row.body,
    status: row.status,
    assignee: row.assignee,
    claimedBy: row.claimed_by,
    blockReason: row.block_reason,
    dependsOn,
    priority: row.priority,
    position: row.position,
    isPhase: row.is_phase === 1,
    needs: row.needs === null ? null : fromNeedsText(row.needs),
    fence: row.fence,
    leaseUntil: row.lease_until === null ? null : iso(row.lease_until),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    closedAt: row.closed_at === null ? null : iso(row.closed_at),
  };
}

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
  };
}
