import { FermataError } from '../../schema/error.ts';
import { isPlain } from '../tasks/plain.ts';
import type { Dialect } from './store.ts';

/** Version 1 and what each later version changed, in order. Never change one that was released. */
const migrations: ((dialect: Dialect) => string[])[] = [schema];

export const schemaVersion = migrations.length;

/** Refuses a store of a newer version, and one that was made before version 1 or by another program. */
export function supported(version: number, isOurs: boolean, place: string): number {
  if (version !== 0 && !isOurs)
    throw new FermataError(
      'invalid',
      `The ledger at ${place} is from before Fermata 0.1, or from another program. Nothing was changed. Choose another place with --store or FERMATA_STORE.`,
    );
  if (version > schemaVersion)
    throw new FermataError(
      'newer_schema',
      `The ledger at ${place} has version ${version}; this Fermata supports versions up to ${schemaVersion}. Nothing was changed. Install the newest version of Fermata and try again.`,
    );
  return version;
}

/** The statements that migrate a store from `version` to the current one. */
export function migrationsAfter(version: number, dialect: Dialect): string[] {
  return migrations.slice(version).flatMap((migration) => migration(dialect));
}

/** The tables and indexes of version 1, in both stores' SQL. A change to them is a new version in `migrations.ts`. */
function schema(dialect: Dialect): string[] {
  const sqlite = dialect === 'sqlite';
  const long = sqlite ? 'integer' : 'bigint';
  const serial = sqlite ? 'integer primary key autoincrement' : 'bigserial primary key';
  // Ids are found by prefix, which does not work in a database that sorts by language.
  const bytewise = sqlite ? 'text' : 'text collate "C"';
  const project = 'project_id text not null references projects(id)';
  const task = 'foreign key (project_id, task_id) references tasks(project_id, id)';
  const isForWorkers =
    "status = 'open' and unfinished = 0 and assignee is null and paused = 0 and needs is not null";
  return [
    `create table projects (
      id text primary key, name text not null, root text, hil_config text,
      last_event ${long} not null, last_task ${long} not null, created_at ${long} not null)`,

    `create table clones (
      ${project}, id text not null, host text not null, folder text not null, roots text not null,
      remote text, remote_name text, seen_at ${long} not null, joined_at ${long} not null,
      primary key (project_id, id))`,
    'create index clones_by_id on clones (id)',

    `create table accepted_remotes (
      ${project}, address text not null, roots text not null, "by" text not null, at ${long} not null,
      primary key (project_id, address))`,

    `create table trusted_contents (
      ${project}, name text not null, hash text not null, content text not null,
      "by" text not null, at ${long} not null, primary key (project_id, name))`,

    `create table credentials (
      hash text primary key, id text not null, kind text not null, role text not null, name text not null,
      project_id text references projects(id), parent text, created_at ${long} not null, expires_at ${long})`,
    'create index credentials_by_id on credentials (id)',
    "create unique index credentials_named_once on credentials (name) where kind = 'token'",

    `create table open_questions (
      id ${bytewise} primary key, ${project}, source text not null, source_id text not null,
      kind text not null, task_id text, run_id text, status text not null, outcome text,
      questions text not null, responses text not null, replaced text, policy text not null, proposal text,
      resume text, gate text, request_key text not null, asked_key text, life text, reason text, superseded_by text,
      deadline_at ${long}, overflow integer not null, lasting integer not null, created_at ${long} not null, created_by text not null,
      resolved_at ${long}, resolved_by text, delivered_at ${long}, version ${long} not null,
      asker text not null, category text, offered integer not null, settled text, settled_at ${long})`,
    "create unique index open_questions_asked_once on open_questions (project_id, request_key) where status = 'open'",
    'create index open_questions_due on open_questions (status, deadline_at) where deadline_at is not null',
    'create index open_questions_by_run on open_questions (project_id, run_id) where run_id is not null',
    `create index open_questions_by_life on open_questions (project_id, source, source_id, asked_key, created_at)
      where life is not null`,
    'create index open_questions_by_status on open_questions (status, overflow, created_at, id)',
    'create index open_questions_by_project on open_questions (project_id, status, overflow, created_at, id)',
    // Without statistics, SQLite picks the newest of several equally good indexes, so this one follows the others.
    'create index open_questions_by_source on open_questions (project_id, source, source_id)',
    "create index open_questions_by_asker on open_questions (project_id, created_by) where status = 'open'",
    `create index open_questions_holding on open_questions (project_id, task_id)
      where status = 'open' and task_id is not null`,

    // With all that the figures read, so that SQLite does not read the questions. PostgreSQL bounds what an index has.
    `create index open_questions_figures on open_questions (created_at${sqlite ? ', project_id, kind, asker, category, offered, settled, settled_at, task_id, run_id' : ''})
      where kind <> 'notice'`,

    `create table agent_rates (
      ${project}, agent text not null, deed text not null, used_until ${long} not null,
      primary key (project_id, agent, deed))`,

    `create table decisions (
      id text primary key, ${project}, question_key text not null, question text not null, answer text not null,
      note text, source text not null, source_id text not null, notification_id text not null,
      "by" text not null, at ${long} not null, standing integer not null, replaced_by text, category text,
      as_recommended integer)`,
    'create index decisions_by_question on decisions (project_id, question_key, at, id)',
    'create index decisions_in_order on decisions (project_id, at, id)',
    'create index decisions_by_notification on decisions (project_id, notification_id)',

    `create table notices (
      key text primary key, ${project}, notification_id text not null, asker text not null, sink text not null,
      reminder integer not null, attempts integer not null, due_at ${long}, error text, created_at ${long} not null)`,
    'create index notices_due on notices (sink, due_at) where due_at is not null',
    'create table notice_sinks (sink text primary key)',
    `create table notice_cursors (
      ${project}, sink text not null, number ${long} not null, primary key (project_id, sink))`,

    `create table events (
      ${project}, number ${long} not null, at ${long} not null, type text not null, "by" text not null,
      data text not null, run_id text, primary key (project_id, number))`,
    'create index events_by_run on events (project_id, run_id, number) where run_id is not null',

    `create table tasks (
      ${project}, id text not null, title text not null, body text not null, status text not null,
      assignee text, block_reason text, priority integer not null, position ${long} not null,
      unfinished integer not null, fence ${long} not null, lease_until ${long}, kept_for text, claimed_by text,
      kind text not null, input text not null, options text, requested_by text, requested_at ${long}, result text,
      needs text, home text, paused integer not null, queued integer not null,
      created_at ${long} not null, updated_at ${long} not null, closed_at ${long}, primary key (project_id, id))`,
    `create index tasks_ready on tasks (project_id, priority, position)
      where status = 'open' and unfinished = 0 and assignee is null and paused = 0 and ${isPlain}`,
    'create index tasks_in_order on tasks (project_id, position)',
    'create index tasks_by_kind on tasks (project_id, kind, created_at, id)',
    'create index tasks_requested on tasks (project_id, requested_at) where options is not null',
    "create index tasks_leased on tasks (project_id, lease_until) where status = 'in_progress'",
    `create index tasks_wanted on tasks (project_id, needs, priority, position) where ${isForWorkers}`,
    `create index tasks_unqueued on tasks (project_id, needs, priority, position) where ${isForWorkers} and queued = 0`,
    `create index tasks_queued on tasks (project_id, needs) where ${isForWorkers} and queued = 1`,
    `create index tasks_at_home on tasks (home, priority, position) where ${isForWorkers}`,
    "create index tasks_needing on tasks (needs) where needs is not null and status <> 'closed'",
    "create index tasks_wanted_held on tasks (lease_until) where status = 'in_progress' and needs is not null",

    `create table task_dependencies (
      project_id text not null, task_id text not null, depends_on text not null,
      primary key (project_id, task_id, depends_on), ${task},
      foreign key (project_id, depends_on) references tasks(project_id, id))`,
    'create index task_dependents on task_dependencies (project_id, depends_on, task_id)',

    `create table task_chat (
      id ${serial}, project_id text not null, task_id text not null, at ${long} not null,
      "by" text not null, text text not null, notification_id text, delivery text, interrupts integer not null)`,
    'create index task_chat_by_task on task_chat (project_id, task_id, id)',
    'create index task_chat_by_delivery on task_chat (project_id, task_id, delivery, id) where delivery is not null',

    `create table phase_records (
      id ${serial}, project_id text not null, task_id text not null, kind text not null, iteration integer not null,
      branch text, at ${long} not null, "by" text not null, data text not null, ${task})`,
    'create index phase_records_by_task on phase_records (project_id, task_id, id)',
    'create index phase_records_by_branch on phase_records (project_id, branch, id) where branch is not null',

    `create table approaches (
      ${project}, scope text not null, agent text not null, number integer not null, variant text not null,
      description text not null, context text not null, files text not null, notification_id text,
      refinement text, state text not null, updated_at ${long} not null,
      primary key (project_id, scope, agent, number, variant))`,

    `create table runs (
      id text primary key, ${project}, task_id text, agent text not null, source text not null,
      source_id text not null, cwd text not null, status text not null, session_id text, data text not null, "end" text,
      holder text, lease_until ${long}, fence ${long} not null, started_at ${long} not null, ended_at ${long})`,
    'create index runs_in_order on runs (project_id, started_at, id)',
    "create index runs_unfinished on runs (project_id, started_at, id) where status <> 'ended'",
    'create index runs_by_task on runs (project_id, task_id, started_at, id) where task_id is not null',
    'create index runs_by_asker on runs (project_id, source, source_id, started_at, id)',

    `create table worktrees (
      id text primary key, ${project}, branch text not null, path text, feature_branch text not null,
      plan text, phase text, variant text, base_commit text not null, state text not null, archive_ref text,
      merge_commit text, created_at ${long} not null, updated_at ${long} not null)`,
    "create unique index worktrees_by_branch on worktrees (project_id, branch) where state <> 'archived'",
    'create index worktrees_in_order on worktrees (project_id, created_at, id)',

    `create table workers (
      id text primary key, home text not null, name text not null, host text not null, abilities text not null,
      slots integer not null, projects text, within text, version text not null,
      started_at ${long} not null, seen_at ${long} not null)`,
    'create index workers_by_home on workers (home, seen_at)',

    // Whether a transaction was committed if its connection was lost during the commit. A file does not need this.
    ...(sqlite
      ? []
      : ['create table commit_marks (writer text primary key, number bigint not null, at bigint not null)']),
  ];
}
