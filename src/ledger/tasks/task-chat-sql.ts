import type { SqlRunner, Tx } from '../engine/store.ts';
import type { ChatRow } from '../engine/tables.ts';

export function insertChat(tx: Tx, row: Omit<ChatRow, 'id' | 'project_id' | 'at'>): Promise<ChatRow[]> {
  return tx.sql<ChatRow>(
    'insert into task_chat (project_id, task_id, at, "by", text, notification_id) values (?, ?, ?, ?, ?, ?) returning *',
    tx.projectId,
    row.task_id,
    tx.now,
    row.by,
    row.text,
    row.notification_id,
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
