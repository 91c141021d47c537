import type { Dialect } from './store.ts';

/** What changed in the tables since the first version, in order; never change one that was released. */
export const schemaChanges: ((dialect: Dialect) => string[])[] = [
  runs,
  keptTasks,
  humanGates,
  runsByAsker,
  worktrees,
  credentials,
  eventsOfRuns,
  phaseTasks,
  consultations,
  notices,
  claimsByAgents,
  decisionsInOrder,
  trustedContents,
  amendedAnswers,
  agentLives,
  proposedPolicies,
  sessionsInHalves,
  planOrigins,
  boundedAgents,
  phasesAmongTasks,
  kindsAndHolds,
  clones,
  workForWorkers,
  commitMarks,
  remotes,
  liveRuns,
  noKeys,
  acceptedRemotes,
];

function runs(dialect: Dialect): string[] {
  const long = dialect === 'sqlite' ? 'integer' : 'bigint';
  return [
    `create table runs (
      id text primary key, project_id text not null references projects(id), agent text not null,
      source text not null, source_id text not null, cwd text not null, status text not null, session_id text,
      data text not null, "end" text, holder text, lease_until ${long}, fence ${long} not null,
      started_at ${long} not null, ended_at ${long})`,
    'create index runs_in_order on runs (project_id, started_at, id)',
    "create index runs_unfinished on runs (project_id, started_at, id) where status <> 'ended'",
    'alter table open_questions add column run_id text',
    'create index open_questions_by_run on open_questions (project_id, run_id) where run_id is not null',
  ];
}

function keptTasks(): string[] {
  return ['alter table tasks add column kept_for text'];
}

function humanGates(): string[] {
  return ['alter table open_questions add column gate text'];
}

function runsByAsker(): string[] {
  return ['create index runs_by_asker on runs (project_id, source, source_id, started_at)'];
}

function worktrees(dialect: Dialect): string[] {
  const long = dialect === 'sqlite' ? 'integer' : 'bigint';
  return [
    `create table worktrees (
      id text primary key, project_id text not null references projects(id), branch text not null, path text,
      feature_branch text not null, plan text, phase text, variant text, base_commit text not null,
      state text not null, archive_ref text, created_at ${long} not null, updated_at ${long} not null)`,
    "create unique index worktrees_by_branch on worktrees (project_id, branch) where state <> 'archived'",
    'create index worktrees_in_order on worktrees (project_id, created_at, id)',
  ];
}

function credentials(dialect: Dialect): string[] {
  const long = dialect === 'sqlite' ? 'integer' : 'bigint';
  return [
    `create table credentials (
      hash text primary key, id text not null, kind text not null, role text not null, name text not null,
      project_id text references projects(id), parent text, created_at ${long} not null, expires_at ${long})`,
    'create index credentials_by_id on credentials (id)',
    "create unique index credentials_named_once on credentials (name) where kind = 'token'",
  ];
}

function eventsOfRuns(dialect: Dialect): string[] {
  const idOf = dialect === 'sqlite' ? "json_extract(data, '$.id')" : "data::json ->> 'id'";
  return [
    'alter table events add column run_id text',
    `update events set run_id = ${idOf} where type = 'run.event'`,
    'create index events_by_run on events (project_id, run_id, number) where run_id is not null',
  ];
}

function phaseTasks(dialect: Dialect): string[] {
  const long = dialect === 'sqlite' ? 'integer' : 'bigint';
  const serial = dialect === 'sqlite' ? 'integer primary key autoincrement' : 'bigserial primary key';
  return [
    `create table phase_records (
      id ${serial}, project_id text not null, task_id text not null, kind text not null, iteration integer not null,
      branch text, at ${long} not null, "by" text not null, data text not null,
      foreign key (project_id, task_id) references tasks(project_id, id))`,
    'create index phase_records_by_task on phase_records (project_id, task_id, id)',
    'create index phase_records_by_branch on phase_records (project_id, branch, id) where branch is not null',
    `create table approaches (
      project_id text not null references projects(id), scope text not null, agent text not null,
      number integer not null, variant text not null, description text not null, context text not null,
      files text not null, notification_id text, refinement text, state text not null, updated_at ${long} not null,
      primary key (project_id, scope, agent, number, variant))`,
  ];
}

function consultations(dialect: Dialect): string[] {
  const long = dialect === 'sqlite' ? 'integer' : 'bigint';
  return [
    `create table consultations (
      id text primary key, project_id text not null references projects(id), role text not null,
      subject text not null, text text not null, status text not null, data text not null, result text,
      created_at ${long} not null, created_by text not null, updated_at ${long} not null)`,
    'create index consultations_in_order on consultations (project_id, role, created_at, id)',
  ];
}

function notices(dialect: Dialect): string[] {
  const long = dialect === 'sqlite' ? 'integer' : 'bigint';
  return [
    `create table notices (
      key text primary key, project_id text not null references projects(id), notification_id text not null,
      sink text not null, reminder integer not null, attempts integer not null, due_at ${long}, error text,
      created_at ${long} not null)`,
    'create index notices_due on notices (sink, due_at) where due_at is not null',
    'create table notice_sinks (sink text primary key)',
    `create table notice_cursors (
      project_id text not null references projects(id), sink text not null, number ${long} not null,
      primary key (project_id, sink))`,
    'create table hub_keys (name text primary key, value text not null)',
  ];
}

function claimsByAgents(): string[] {
  return ['alter table tasks add column claimed_by text'];
}

function decisionsInOrder(): string[] {
  return ['create index decisions_in_order on decisions (project_id, at, id)'];
}

function trustedContents(dialect: Dialect): string[] {
  const long = dialect === 'sqlite' ? 'integer' : 'bigint';
  return [
    `create table trusted_contents (
      project_id text not null references projects(id), name text not null, hash text not null,
      content text not null, "by" text not null, at ${long} not null, primary key (project_id, name))`,
  ];
}

function amendedAnswers(): string[] {
  return [
    'alter table open_questions add column replaced text',
    'alter table decisions add column replaced_by text',
    'create index decisions_by_notification on decisions (project_id, notification_id)',
  ];
}

function agentLives(): string[] {
  return [
    'alter table open_questions add column life text',
    'alter table open_questions add column asked_key text',
    `create index open_questions_by_life on open_questions (project_id, source, source_id, asked_key, created_at)
      where life is not null`,
  ];
}

function proposedPolicies(): string[] {
  return ['alter table open_questions add column proposal text'];
}

/** Cookies of earlier sessions contain the whole secret, and other ports have received them. */
function sessionsInHalves(): string[] {
  return ["delete from credentials where kind = 'session'"];
}

function planOrigins(dialect: Dialect): string[] {
  const long = dialect === 'sqlite' ? 'integer' : 'bigint';
  return [
    `create table plan_origins (
      project_id text not null references projects(id), plan text not null, asker text not null,
      issues text not null, questions text not null, at ${long} not null, primary key (project_id, plan))`,
  ];
}

function boundedAgents(dialect: Dialect): string[] {
  const long = dialect === 'sqlite' ? 'integer' : 'bigint';
  return [
    `create table agent_rates (
      project_id text not null references projects(id), agent text not null, deed text not null,
      used_until ${long} not null, primary key (project_id, agent, deed))`,
    'alter table open_questions add column overflow integer not null default 0',
    'drop index open_questions_by_status',
    'drop index open_questions_by_project',
    'create index open_questions_by_status on open_questions (status, overflow, created_at, id)',
    'create index open_questions_by_project on open_questions (project_id, status, overflow, created_at, id)',
    // Without statistics, SQLite picks the newest of several equally good indexes, so this one has to stay the newest.
    'drop index open_questions_by_source',
    'create index open_questions_by_source on open_questions (project_id, source, source_id)',
    "create index open_questions_by_asker on open_questions (project_id, created_by) where status = 'open'",
    "alter table notices add column asker text not null default ''",
  ];
}

/** Marks what was worked on as a phase before; the others are marked when their plan is run again. */
function phasesAmongTasks(): string[] {
  return [
    'alter table tasks add column is_phase integer not null default 0',
    `update tasks set is_phase = 1 where exists (
      select 1 from phase_records r where r.project_id = tasks.project_id and r.task_id = tasks.id)`,
  ];
}

/**
 * Stores what a notification is and what it holds, which used to be derived from its source. Questions from an agent's
 * command get the run that was active then. The chat of a task that does not exist is removed.
 */
function kindsAndHolds(dialect: Dialect): string[] {
  const asker =
    dialect === 'sqlite' ? "json_extract(created_by, '$.actor.kind')" : "created_by::json #>> '{actor,kind}'";
  return [
    "alter table open_questions add column kind text not null default 'question'",
    'alter table open_questions add column task_id text',
    `update open_questions set kind = case
        when status = 'recorded' then 'notice'
        when source = 'gate' then 'gate'
        when resume is null then 'approval'
        else 'permission' end
      where status = 'recorded' or source in ('gate', 'approval')`,
    `update open_questions set task_id = source_id
      where (kind in ('gate', 'approval', 'permission') or (kind = 'question' and source = 'execute'))
        and exists (select 1 from tasks t where t.project_id = open_questions.project_id and t.id = source_id)`,
    `update open_questions set run_id = (
        select r.id from runs r where r.project_id = open_questions.project_id
          and r.source = open_questions.source and r.source_id = open_questions.source_id
          and r.started_at <= open_questions.created_at
          and (r.ended_at is null or r.ended_at >= open_questions.created_at)
        order by r.started_at desc, r.id limit 1)
      where run_id is null and kind = 'question' and ${asker} = 'agent'`,
    `delete from task_chat where not exists (
      select 1 from tasks t where t.project_id = task_chat.project_id and t.id = task_chat.task_id)`,
    `create index open_questions_holding on open_questions (project_id, task_id)
      where status = 'open' and task_id is not null`,
  ];
}

function clones(dialect: Dialect): string[] {
  const long = dialect === 'sqlite' ? 'integer' : 'bigint';
  return [
    `create table clones (
      project_id text not null references projects(id), id text not null, host text not null, folder text not null,
      roots text not null, remote text, seen_at ${long} not null, primary key (project_id, id))`,
  ];
}

/** What people asked workers to do, the workers, and the tasks they may take. */
function workForWorkers(dialect: Dialect): string[] {
  const long = dialect === 'sqlite' ? 'integer' : 'bigint';
  const ready = "status = 'open' and unfinished = 0 and assignee is null and needs is not null";
  return [
    `create table work_orders (
      project_id text not null references projects(id), scope text not null, needs text not null,
      work text not null, "by" text not null, at ${long} not null, primary key (project_id, scope))`,
    `create table workers (
      id text primary key, home text not null, name text not null, host text not null, abilities text not null,
      slots integer not null, projects text, version text not null,
      started_at ${long} not null, seen_at ${long} not null)`,
    'create index workers_by_home on workers (home, seen_at)',
    'alter table tasks add column needs text',
    'alter table tasks add column home text',
    'alter table tasks add column queued integer not null default 0',
    `create index tasks_wanted on tasks (project_id, needs, priority, position) where ${ready}`,
    `create index tasks_unqueued on tasks (project_id, needs, priority, position) where ${ready} and queued = 0`,
    `create index tasks_queued on tasks (project_id, needs) where ${ready} and queued = 1`,
    `create index tasks_at_home on tasks (home, priority, position) where ${ready}`,
    "create index tasks_wanted_held on tasks (lease_until) where status = 'in_progress' and needs is not null",
  ];
}

/** Records whether a transaction was committed if its connection was lost during the commit. A file does not need this. */
function commitMarks(dialect: Dialect): string[] {
  if (dialect === 'sqlite') return [];
  return ['create table commit_marks (writer text primary key, number bigint not null, at bigint not null)'];
}

function remotes(): string[] {
  return [
    'alter table clones add column remote_name text',
    'alter table worktrees add column merge_commit text',
  ];
}

/** The runs that are alive, so that other machines leave them the tasks whose sessions they have. */
function liveRuns(dialect: Dialect): string[] {
  const long = dialect === 'sqlite' ? 'integer' : 'bigint';
  return [
    `create table live_runs (
      id text primary key, home text not null, project_id text not null references projects(id),
      within text not null, seen_at ${long} not null)`,
    'create index live_runs_by_home on live_runs (home, project_id, seen_at)',
  ];
}

/** A key that lies next to what it protects does not protect it: see docs/decisions/0063. */
function noKeys(): string[] {
  return ['drop table hub_keys'];
}

/** The addresses from which a person said that a project comes, and since when a clone belongs to its project. */
function acceptedRemotes(dialect: Dialect): string[] {
  const long = dialect === 'sqlite' ? 'integer' : 'bigint';
  return [
    `create table accepted_remotes (
      project_id text not null references projects(id), address text not null, roots text not null,
      "by" text not null, at ${long} not null, primary key (project_id, address))`,
    `alter table clones add column joined_at ${long} not null default 0`,
    'create index clones_by_id on clones (id)',
  ];
}
