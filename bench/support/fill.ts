import { DatabaseSync } from '@photostructure/sqlite';
import pg from 'pg';

interface Sql {
  /** Rows of numbers `n` from 1 to `count`. */
  series(count: number): string;
  text(expression: string): string;
  run(statement: string): Promise<unknown>;
  settle(): Promise<unknown>;
  close(): Promise<unknown>;
}

type Put = (project: string, count: number) => Promise<unknown>;

/** Inserts millions of rows directly, not through the ledger; the ledger bench measures single writes. */
export async function fill(
  place: string,
  work: (put: { tasks: Put; questions: Put }) => Promise<unknown>,
): Promise<void> {
  const store = place.startsWith('postgres') ? await postgres(place) : sqlite(place);
  try {
    await work({
      tasks: (project, count) => store.run(tasks(store, project, count)),
      questions: (project, count) => store.run(questions(store, project, count)),
    });
    await store.settle();
  } finally {
    await store.close();
  }
}

/** One in ten is ready; the others are closed, wait for another task, or are claimed. */
function tasks({ series, text }: Sql, project: string, count: number): string {
  return `insert into tasks (project_id, id, title, body, status, assignee, priority, position, unfinished, fence,
      kind, input, paused, queued, created_at, updated_at, closed_at)
    select '${project}', 't' || ${text('n')}, 'Task ' || ${text('n')}, 'What is to be done in it.',
      case when n % 10 < 6 then 'closed' when n % 10 = 6 then 'in_progress' else 'open' end,
      case when n % 10 = 6 then 'worker' end, n % 5, n, case when n % 10 in (7, 8) then 1 else 0 end, 0,
      'task', '{}', 0, 0, n, n,
      case when n % 10 < 6 then n end
    from ${series(count)}`;
}

function questions({ series, text }: Sql, project: string, count: number): string {
  const question = `'[{"id":"q1","text":"Which way for ' || ${text('n')} || '?","createdAt":"2026-01-01T00:00:00.000Z"}]'`;
  return `insert into open_questions (id, project_id, source, source_id, kind, overflow, lasting, status, questions, responses, policy,
      request_key, created_at, created_by, version)
    select '${project}-' || ${text('n + 1000000000')}, '${project}', 'gap', 's' || ${text('n')}, 'question', 0, 0, 'open', ${question}, '[]',
      '{"kind":"wait"}', 'k' || ${text('n + 1000000000')}, n,
      '{"actor":{"kind":"agent","name":"coder"},"channel":"agent"}', 1
    from ${series(count)}`;
}

function sqlite(place: string): Sql {
  const connection = new DatabaseSync(place);
  connection.exec('pragma synchronous = off; pragma cache_size = -500000; pragma foreign_keys = off');
  return {
    series: (count) =>
      `(with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count}) select n from numbers)`,
    text: (expression) => `(${expression})`,
    run: async (statement) => connection.exec(statement),
    settle: async () => connection.exec('pragma wal_checkpoint(truncate)'),
    close: async () => connection.close(),
  };
}

async function postgres(place: string): Promise<Sql> {
  const client = new pg.Client({ connectionString: place });
  await client.connect();
  await client.query('set synchronous_commit = off');
  return {
    series: (count) => `generate_series(1, ${count}) as n`,
    text: (expression) => `(${expression})::text`,
    run: (statement) => client.query(statement),
    settle: () => client.query('analyze'),
    close: () => client.end(),
  };
}
