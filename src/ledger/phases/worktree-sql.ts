import type { SqlRunner, Tx } from '../engine/store.ts';
import type { WorktreeRow } from '../engine/tables.ts';

export async function insertWorktree(tx: Tx, row: WorktreeRow): Promise<void> {
  await tx.run(tx.db.insertInto('worktrees').values(row));
}

export async function updateWorktree(tx: Tx, { id, ...row }: WorktreeRow): Promise<void> {
  await tx.run(tx.db.updateTable('worktrees').set(row).where('id', '=', id));
}

/** The record that is not archived; a branch has at most one. The state is written out, as in the index. */
export async function selectWorktree(
  runner: SqlRunner,
  projectId: string,
  branch: string,
): Promise<WorktreeRow | undefined> {
  const rows = await runner.sql<WorktreeRow>(
    "select * from worktrees where project_id = ? and branch = ? and state <> 'archived'",
    projectId,
    branch,
  );
  return rows[0];
}

export async function selectWorktreeAt(
  runner: SqlRunner,
  projectId: string,
  path: string,
): Promise<WorktreeRow | undefined> {
  const rows = await runner.sql<WorktreeRow>(
    "select * from worktrees where project_id = ? and path = ? and state <> 'archived' order by updated_at desc",
    projectId,
    path,
  );
  return rows[0];
}

/** Oldest first, archived ones too. */
export function selectWorktrees(runner: SqlRunner, projectId: string): Promise<WorktreeRow[]> {
  return runner.run(
    runner.db
      .selectFrom('worktrees')
      .selectAll()
      .where('project_id', '=', projectId)
      .orderBy('created_at')
      .orderBy('id'),
  );
}
