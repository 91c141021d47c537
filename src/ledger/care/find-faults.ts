import { OPEN_QUESTION } from '../../schema/block-reason.ts';
import { Outcome } from '../../schema/notification.ts';
import { RunStatus } from '../../schema/run.ts';
import { taskStatuses } from '../../schema/task-status.ts';
import type { Dialect, SqlRunner } from '../engine/store.ts';

/** Something that must be true of every ledger. */
interface Invariant {
  /** Only this store can have such a fault. */
  dialect?: Dialect;
  /** Selects what breaks it. */
  sql: string;
  say(row: Record<string, string | number | null>): string;
}

/** For each invariant, this many of the rows that break it are named. */
const EXAMPLES = 5;

/** What no sequence of changes can have made, each in a sentence. Without damage, there is nothing. */
export async function findFaults(runner: SqlRunner): Promise<string[]> {
  const faults: string[] = [];
  for (const { dialect = runner.dialect, sql, say } of invariants) {
    if (dialect !== runner.dialect) continue;
    const rows = await runner.sql<Record<string, string | number | null>>(`${sql} limit ${EXAMPLES}`);
    faults.push(...rows.map(say));
  }
  return faults;
}

const oneOf = (values: readonly string[]) => values.map((value) => `'${value}'`).join(', ');

const unfinished = `(select count(*) from task_dependencies d
  join tasks o on o.project_id = d.project_id and o.id = d.depends_on
  where d.project_id = t.project_id and d.task_id = t.id and o.status <> 'closed')`;

const invariants: Invariant[] = [
  {
    dialect: 'sqlite',
    sql: 'select "table", rowid as row, parent from pragma_foreign_key_check()',
    say: ({ table, row, parent }) =>
      `Row ${row} of ${table} refers to a row of ${parent} that does not exist.`,
  },
  {
    sql: `select p.id, p.last_event, count(e.number) as events, min(e.number) as first, max(e.number) as last
      from projects p left join events e on e.project_id = p.id group by p.id, p.last_event
      having coalesce(max(e.number), 0) <> p.last_event or count(e.number) <> coalesce(max(e.number) - min(e.number) + 1, 0)`,
    say: ({ id, last_event, events, first, last }) =>
      `Events of project ${id} are missing: it counts up to ${last_event}, but has ${events} events${first === null ? '' : ` from ${first} to ${last}`}.`,
  },
  {
    sql: `select c.project_id, c.sink, c.number, p.last_event from notice_cursors c join projects p on p.id = c.project_id
      where c.number > p.last_event`,
    say: ({ project_id, sink, number, last_event }) =>
      `The notices of project ${project_id} to ${sink} have read up to event ${number}, but the last one is ${last_event}.`,
  },
  {
    sql: `select t.project_id, t.id, t.unfinished, ${unfinished} as counted from tasks t where t.unfinished <> ${unfinished}`,
    say: ({ project_id, id, unfinished, counted }) =>
      `Task ${id} of project ${project_id} waits for ${unfinished} tasks, but depends on ${counted} that are not closed.`,
  },
  {
    sql: `select project_id, id, status from tasks where status not in (${oneOf(taskStatuses)})
      or (status = 'closed') <> (closed_at is not null) or (status = 'blocked') <> (block_reason is not null)
      or (status = 'in_progress' and (assignee is null or lease_until is null))`,
    say: ({ project_id, id, status }) =>
      `Task ${id} of project ${project_id} is ${status}, which does not fit its other columns.`,
  },
  {
    sql: `select t.project_id, t.id from tasks t where t.status = 'blocked' and t.block_reason = '${OPEN_QUESTION}'
      and not exists (select 1 from open_questions q
        where q.project_id = t.project_id and q.task_id = t.id and q.status = 'open')`,
    say: ({ project_id, id }) =>
      `Task ${id} of project ${project_id} waits for an answer, but no open question holds it.`,
  },
  {
    sql: `select id, status from open_questions where case
      when status in ('open', 'recorded') then outcome is not null or resolved_at is not null
      when status = 'delivered' then outcome is null or delivered_at is null
      when status in (${oneOf(Outcome.options)}) then outcome is null or outcome <> status
      else true end`,
    say: ({ id, status }) => `Notification ${id} is ${status}, which does not fit its other columns.`,
  },
  {
    sql: `select id, status from runs where status not in (${oneOf(RunStatus.options)})
      or (status = 'ended') <> (ended_at is not null) or (status = 'running' and holder is null)
      or (status in ('waiting', 'ended') and holder is not null)`,
    say: ({ id, status }) => `Run ${id} is ${status}, which does not fit its other columns.`,
  },
  ...Object.entries({
    events: ['"by"', 'data'],
    open_questions: ['questions', 'responses', 'policy', 'created_by'],
    decisions: ['answer', '"by"'],
    runs: ['data'],
    phase_records: ['data'],
  }).map(
    ([table, columns]): Invariant => ({
      dialect: 'sqlite',
      sql: `select rowid as row from ${table} where ${columns.map((column) => `not json_valid(${column})`).join(' or ')}`,
      say: ({ row }) => `Row ${row} of ${table} is damaged: it is not valid JSON.`,
    }),
  ),
];
