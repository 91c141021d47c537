import type { SqlRunner, Tx } from '../engine/store.ts';
import type { ChatRow } from '../engine/tables.ts';

export function insertChat(tx: Tx, row: Omit<ChatRow, 'id' | 'project_id' | 'at'>): Promise<ChatRow[]> {
  return tx.sql<ChatRow>(
    'insert into task_chat (project_id, task_id, at, "by", text, notification_id, delivery, interrupts) values (?, ?, ?, ?, ?, ?, ?, ?) returning *',
    tx.projectId,
    row.task_id,
    tx.now,
    row.by,
    row.text,
    row.notification_id,
    row.delivery,
    row.interrupts,
  );
}

/** What people said after message `after` that the agent has not read yet, oldest first. */
export function selectUnread(
  runner: SqlRunner,
  projectId: string,
  taskId: string,
  delivery: 'queued' | 'delivered',
  after = 0,
): Promise<ChatRow[]> {
  return runner.sql<ChatRow>(
    'select * from task_chat where project_id = ? and task_id = ? and delivery = ? and id > ? order by id',
    projectId,
    taskId,
    delivery,
    after,
  );
}

/** Takes what is queued from the queue: an agent has it, or gets it in another way (null). */
export function updateQueued(
  tx: Tx,
  taskId: string,
  id: number,
  delivery: 'delivered' | null,
): Promise<ChatRow[]> {
  return tx.sql<ChatRow>(
    "update task_chat set delivery = ? where project_id = ? and task_id = ? and delivery = 'queued' and id = ? returning *",
    delivery,
    tx.projectId,
    taskId,
    id,
  );
}

/** The model of a session has gone on with this message. */
export function updateRead(tx: Tx, taskId: string, id: number): Promise<ChatRow[]> {
  return tx.sql<ChatRow>(
    "update task_chat set delivery = 'read' where project_id = ? and task_id = ? and delivery in ('queued', 'delivered') and id = ? returning *",
    tx.projectId,
    taskId,
    id,
  );
}

export function updateDelivered(tx: Tx, taskId: string): Promise<ChatRow[]> {
  return tx.sql<ChatRow>(
    "update task_chat set delivery = 'read' where project_id = ? and task_id = ? and delivery = 'delivered' returning *",
    tx.projectId,
    taskId,
  );
}

/** Oldest first. */
export function selectChat(
  runner: SqlRunner,
  projectId: string,
  taskId: string,
  { after, limit }: { after: number; limit: number },
): Promise<ChatRow[]> {
  return runner.sql<ChatRow>(
    'select * from task_chat where project_id = ? and task_id = ? and id > ? order by id limit ?',
    projectId,
    taskId,
    after,
    limit,
  );
}

/** What was said in a task's chat at or after a time, oldest first. */
export function selectChatSince(
  tx: Tx,
  taskId: string,
  { since, after, limit }: { since: number; after: number; limit: number },
): Promise<ChatRow[]> {
  return tx.sql<ChatRow>(
    'select * from task_chat where project_id = ? and task_id = ? and id > ? and at >= ? order by id limit ?',
    tx.projectId,
    taskId,
    after,
    since,
    limit,
  );
}
