import type { Snapshot, SqlRunner } from '../engine/store.ts';

/**
 * What a ledger consists of: each table with its key, those that others refer to first. The others only mean something
 * while they are fresh, or to one store.
 */
const keptTables = {
  projects: ['id'],
  clones: ['project_id', 'id'],
  accepted_remotes: ['project_id', 'address'],
  trusted_contents: ['project_id', 'name'],
  credentials: ['hash'],
  open_questions: ['id'],
  decisions: ['id'],
  notices: ['key'],
  notice_sinks: ['sink'],
  notice_cursors: ['project_id', 'sink'],
  events: ['project_id', 'number'],
  tasks: ['project_id', 'id'],
  task_dependencies: ['project_id', 'task_id', 'depends_on'],
  task_chat: ['id'],
  phase_records: ['id'],
  approaches: ['project_id', 'scope', 'agent', 'number', 'variant'],
  runs: ['id'],
  worktrees: ['id'],
} as const;
export type KeptTable = keyof typeof keptTables;

export const tableNames = Object.keys(keptTables) as KeptTable[];

/** The tables whose ids the store numbers. */
export const numberedTables = ['task_chat', 'phase_records'] as const;

export interface Column {
  name: string;
  isText: boolean;
  isNullable: boolean;
}

/** The columns of a table, in the order in which they were declared. */
export async function columnsOf(runner: SqlRunner, table: KeptTable): Promise<Column[]> {
  const rows = await runner.sql<{ name: string; type: string; required: number | boolean }>(
    runner.dialect === 'sqlite'
      ? 'select name, lower(type) as type, "notnull" or pk > 0 as required from pragma_table_info(?) order by cid'
      : `select column_name as name, data_type as type, is_nullable = 'NO' as required from information_schema.columns
         where table_schema = current_schema() and table_name = ? order by ordinal_position`,
    table,
  );
  return rows.map(({ name, type, required }) => ({ name, isText: type === 'text', isNullable: !required }));
}

/** All rows of a table by their key. Both stores sort texts by their bytes. */
export async function* rowsOf(
  snapshot: Snapshot,
  table: KeptTable,
): AsyncGenerator<Record<string, unknown>[], void> {
  const columns = await columnsOf(snapshot, table);
  const isText = (key: string) => columns.some(({ name, isText }) => name === key && isText);
  const bytewise = snapshot.dialect === 'postgres' ? ' collate "C"' : '';
  const order = keptTables[table].map((key) => (isText(key) ? key + bytewise : key));
  yield* snapshot.pages(`select * from ${table} order by ${order.join(', ')}`);
}

export async function countRows(runner: SqlRunner): Promise<Record<KeptTable, number>> {
  const counts: Partial<Record<KeptTable, number>> = {};
  for (const table of tableNames) {
    const [row] = await runner.sql<{ count: number }>(`select count(*) as count from ${table}`);
    counts[table] = row?.count ?? 0;
  }
  return counts as Record<KeptTable, number>;
}
