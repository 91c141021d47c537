import type { Notification } from '../../schema/notification.ts';
import { iso } from '../engine/stored.ts';
import type { NotificationRow } from '../engine/tables.ts';

export function toNotification(row: NotificationRow): Notification {
  const notification: Notification = {
    id: row.id,
    projectId: row.project_id,
    source: row.source,
    sourceId: row.source_id,
    kind: row.kind,
    holds: {},
    status: row.status,
    questions: JSON.parse(row.questions),
    responses: JSON.parse(row.responses),
    policy: JSON.parse(row.policy),
    createdAt: iso(row.created_at),
    createdBy: JSON.parse(row.created_by),
  };
  if (row.task_id !== null) notification.holds.task = row.task_id;
  if (row.run_id !== null) notification.holds.run = row.run_id;
  if (row.outcome !== null) notification.outcome = row.outcome;
  if (row.deadline_at !== null) notification.deadlineAt = iso(row.deadline_at);
  if (row.proposal !== null) notification.proposal = JSON.parse(row.proposal);
  if (row.overflow !== 0) notification.overflow = true;
  if (row.resume !== null) notification.resume = JSON.parse(row.resume);
  if (row.replaced !== null) notification.replaced = JSON.parse(row.replaced);
  if (row.gate !== null) notification.gate = JSON.parse(row.gate);
  if (row.resolved_at !== null) notification.resolvedAt = iso(row.resolved_at);
  if (row.resolved_by !== null) notification.resolvedBy = JSON.parse(row.resolved_by);
  if (row.reason !== null) notification.reason = row.reason;
  if (row.superseded_by !== null) notification.supersededBy = row.superseded_by;
  if (row.delivered_at !== null) notification.deliveredAt = iso(row.delivered_at);
  return notification;
}

/** The columns that a change of state may touch. */
export function changedColumns(row: NotificationRow, next: Notification): Partial<NotificationRow> {
  return {
    version: row.version + 1,
    status: next.status,
    outcome: next.outcome ?? null,
    responses: JSON.stringify(next.responses),
    replaced: next.replaced ? JSON.stringify(next.replaced) : null,
    policy: JSON.stringify(next.policy),
    proposal: next.proposal ? JSON.stringify(next.proposal) : null,
    // A settled notification is no longer in the queue.
    overflow: next.status === 'open' ? row.overflow : 0,
    reason: next.reason ?? null,
    superseded_by: next.supersededBy ?? null,
    deadline_at: msOrNull(next.deadlineAt),
    resolved_at: msOrNull(next.resolvedAt),
    resolved_by: next.resolvedBy ? JSON.stringify(next.resolvedBy) : null,
    delivered_at: msOrNull(next.deliveredAt),
  };
}

const msOrNull = (time: string | undefined) => (time === undefined ? null : Date.parse(time));
