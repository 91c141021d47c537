import type { Dialect } from './store.ts';

/** The tables of the first version; `schemaChanges` has everything since. */
export function firstTables(dialect: Dialect): string[] {
  const long = dialect === 'sqlite' ? 'integer' : 'bigint';
  // Ids are found by prefix, which does not work in a database that sorts by language.
  const bytewise = dialect === 'sqlite' ? 'text' : 'text collate "C"';
  const serial = dialect === 'sqlite' ? 'integer primary key autoincrement' : 'bigserial primary key';
  return [
    `create table projects (
      id text primary key, name text not null, root text, hil_config text,
      last_event ${long} not null default 0, last_task ${long} not null default 0, created_at ${long} not null)`,
    `create table open_questions (
      id ${bytewise} primary key, project_id text not null references projects(id),
      source text not null, source_id text not null, status text not null, outcome text,
      questions text not null, responses text not null, policy text not null, resume text,
      request_key text not null, reason text, superseded_by text, deadline_at ${long},
      created_at ${long} not null, created_by text not null, resolved_at ${long}, resolved_by text,
      delivered_at ${long}, version ${long} not null)`,
    'create index open_questions_by_status on open_questions (status, created_at, id)',
    'create index open_questions_by_project on open_questions (project_id, status, created_at, id)',
    'create index open_questions_by_source on open_questions (project_id, source, source_id)',
    "create unique index open_questions_asked_once on open_questions (project_id, request_key) where status = 'open'",
    'create index open_questions_due on open_questions (status, deadline_at) where deadline_at is not null',
    `create table events (
      project_id text not null references projects(id), number ${long} not null, at ${long} not null,
      type text not null, "by" text not null, data text not null, primary key (project_id, number))`,
    `create table tasks (
      project_id text not null references projects(id), id text not null, title text not null, body text not null,
      status text not null, assignee text, block_reason text, priority integer not null, position ${long} not null,
      unfinished integer not null, fence ${long} not null, lease_until ${long},
      created_at ${long} not null, updated_at ${long} not null, closed_at ${long}, primary key (project_id, id))`,
    `create index tasks_ready on tasks (project_id, priority, position)
      where status = 'open' and unfinished = 0 and assignee is null`,
    'create index tasks_in_order on tasks (project_id, position)',
    "create index tasks_leased on tasks (project_id, lease_until) where status = 'in_progress'",
    `create table task_dependencies (
      project_id text not null, task_id text not null, depends_on text not null,
      primary key (project_id, task_id, depends_on),
      foreign key (project_id, task_id) references tasks(project_id, id),
      foreign key (project_id, depends_on) references tasks(project_id, id))`,
    'create index task_dependents on task_dependencies (project_id, depends_on, task_id)',
    `create table task_chat (
      id ${serial}, project_id text not null, task_id text not null, at ${long} not null,
      "by" text not null, text text not null, notification_id text)`,
    'create index task_chat_by_task on task_chat (project_id, task_id, id)',
    `create table decisions (
      id text primary key, project_id text not null references projects(id), question_key text not null,
      question text not null, answer text not null, note text, source text not null, source_id text not null,
      notification_id text not null, "by" text not null, at ${long} not null, standing integer not null)`,
    'create index decisions_by_question on decisions (project_id, question_key, at, id)',
  ];
}
