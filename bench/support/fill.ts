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
  work: (put: Record<'tasks' | 'questions' | 'answered' | 'decisions' | 'events', Put>) => Promise<unknown>,
): Promise<void> {
  const store = place.startsWith('postgres') ? await postgres(place) : sqlite(place);
  try {
    await work({
      tasks: (project, count) => store.run(tasks(store, project, count)),
      questions: (project, count) => store.run(questions(store, project, count)),
      answered: (project, count) => store.run(answered(store, project, count)),
      decisions: (project, count) => store.run(decisions(store, project, count)),
      events: (project, count) => store.run(events(store, project, count)),
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
      request_key, created_at, created_by, version, asker, offered)
    select '${project}-' || ${text('n + 1000000000')}, '${project}', 'gap', 's' || ${text('n')}, 'question', 0, 0, 'open', ${question}, '[]',
      '{"kind":"wait"}', 'k' || ${text('n + 1000000000')}, n,
      '{"actor":{"kind":"agent","name":"coder"},"channel":"agent"}', 1, 'coder', 0
    from ${series(count)}`;
}

/** One every ten seconds, up to now. */
const timeOf = (count: number) => `${Date.now()} - (${count} - n) * 10000`;

/** Questions of tasks with four whole options, each answered within an hour; every seventh by a policy. */
function answered({ series, text }: Sql, project: string, count: number): string {
  const option = (id: number) =>
    `{"id":"${id}","label":"The ${id}. way to do it","description":"What follows from it, in a sentence or two as agents write them."}`;
  const question = `'[{"id":"q1","text":"Which way for ' || ${text('n')} || '?","createdAt":"2026-01-01T00:00:00.000Z","options":[${[1, 2, 3, 4].map(option).join(',')}],"recommended":"1","category":"dependency"}]'`;
  const by = (n: string) =>
    `case when ${n} % 7 = 0 then '{"actor":{"kind":"policy","name":"default"},"channel":"ledger"}'
      else '{"actor":{"kind":"person","name":"ann"},"channel":"web"}' end`;
  return `insert into open_questions (id, project_id, source, source_id, kind, overflow, lasting, status, questions, responses, policy,
      request_key, created_at, created_by, resolved_at, resolved_by, delivered_at, task_id, run_id, version, asker,
      category, offered, settled, settled_at)
    select '${project}-' || ${text('n + 1000000000')}, '${project}', 'execute', 't' || ${text('n % 5000')}, 'question', 0, 0, 'delivered',
      ${question}, '[{"questionId":"q1","kind":"answered","answer":"The 1. way to do it","by":' || ${by('n')} || '}]',
      '{"kind":"wait"}', 'k' || ${text('n + 1000000000')}, ${timeOf(count)},
      '{"actor":{"kind":"agent","name":"coder-' || ${text('n % 5')} || '"},"channel":"agent","task":"t' || ${text('n % 5000')} || '"}',
      ${timeOf(count)} + n % 3600000, ${by('n')}, ${timeOf(count)} + n % 3600000 + 5,
      't' || ${text('n % 5000')}, 'r' || ${text('n')}, 3,
      'coder-' || ${text('n % 5')}, 'dependency', 0, case when n % 7 = 0 then 'assumed' else 'person' end,
      ${timeOf(count)} + n % 3600000
    from ${series(count)}`;
}

function decisions({ series, text }: Sql, project: string, count: number): string {
  return `insert into decisions (id, project_id, question_key, question, answer, source, source_id, notification_id, "by", at,
      standing, category, as_recommended)
    select 'd-' || ${text('n')}, '${project}', 'k' || ${text('n')}, 'Which way for ' || ${text('n')} || '?', '"The 1. way to do it"',
      'execute', 't' || ${text('n % 5000')}, '${project}-' || ${text('n + 1000000000')},
      '{"actor":{"kind":"person","name":"ann"},"channel":"web"}', ${timeOf(count)}, 0, 'dependency', case when n % 20 = 0 then 0 else 1 end
    from ${series(count)}`;
}

function events({ series, text }: Sql, project: string, count: number): string {
  return `insert into events (project_id, number, at, type, "by", data, run_id)
    select '${project}', n, n, 'run.event', '{"actor":{"kind":"agent","name":"coder"},"channel":"agent"}',
      '{"id":"r' || ${text('n')} || '","kind":"text","text":"I look around."}', 'r' || ${text('n')}
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
