import type { Tables } from './tables.ts';

/** Who connects to a ledger on PostgreSQL, besides the owner of its tables. People at a terminal use the hub's role. */
export const roleKinds = ['hub', 'worker', 'reader'] as const;
export type RoleKind = (typeof roleKinds)[number];

/** PostgreSQL cuts longer names. */
const MAX_NAME_BYTES = 63;

/** A server's roles belong to all of its databases, so their names begin with the database's. Undefined if that is too long. */
export function roleNames(database: string): Record<RoleKind, string> | undefined {
  const names = { hub: `${database}_hub`, worker: `${database}_worker`, reader: `${database}_reader` };
  return Object.values(names).every((name) => Buffer.byteLength(name) <= MAX_NAME_BYTES) ? names : undefined;
}

const READ = 'select';
const ADD = 'select, insert';
const CHANGE = 'select, insert, update';
const ALL = 'select, insert, update, delete';

/** What a worker changes in a question after it was asked. What was asked, and by whom, stays as it is. */
const ANSWER_COLUMNS =
  'task_id, status, outcome, responses, policy, proposal, resume, reason, superseded_by, deadline_at, overflow, resolved_at, resolved_by, delivered_at, run_id, gate, replaced, life, version, settled, settled_at';

type Rights = Partial<Record<RoleKind, string>>;

/**
 * What each role may do with each table. Nobody changes or deletes an event. Workers make no decisions and see no
 * credentials.
 */
const tableRights: Record<keyof Tables | UntypedTable, Rights> = {
  accepted_remotes: { hub: ADD, worker: READ, reader: READ },
  agent_rates: { hub: CHANGE, worker: CHANGE },
  approaches: { hub: ALL, worker: ALL, reader: READ },
  clones: { hub: ALL, worker: ALL, reader: READ },
  commit_marks: { hub: ALL, worker: ALL },
  credentials: { hub: 'select, insert, delete' },
  decisions: { hub: CHANGE, worker: READ, reader: READ },
  events: { hub: ADD, worker: ADD, reader: READ },
  fermata_version: { hub: READ, worker: READ, reader: READ },
  notice_cursors: { hub: CHANGE, worker: READ, reader: READ },
  notice_sinks: { hub: ADD },
  notices: { hub: ALL },
  open_questions: { hub: CHANGE, worker: `select, insert, update (${ANSWER_COLUMNS})`, reader: READ },
  phase_records: { hub: ADD, worker: ADD, reader: READ },
  projects: { hub: CHANGE, worker: 'select, update (last_event, last_task)', reader: READ },
  runs: { hub: CHANGE, worker: CHANGE, reader: READ },
  task_chat: { hub: `${ADD}, update (delivery)`, worker: `${ADD}, update (delivery)`, reader: READ },
  task_dependencies: {
    hub: 'select, insert, delete',
    worker: 'select, insert, delete',
    reader: READ,
  },
  tasks: { hub: CHANGE, worker: CHANGE, reader: READ },
  // Only the worker has the content that a person accepts in the inbox or with a merge.
  trusted_contents: { hub: ALL, worker: CHANGE, reader: READ },
  workers: { hub: ALL, worker: ALL, reader: READ },
  worktrees: { hub: CHANGE, worker: CHANGE, reader: READ },
};

type UntypedTable = 'agent_rates' | 'commit_marks' | 'fermata_version';

const sequences = ['phase_records_id_seq', 'task_chat_id_seq'];
/** Their statistics are brought up to date after large changes. */
const analyzed = ['tasks', 'task_dependencies'];
/** The first version of PostgreSQL in which the owner can let others do that. */
const MAINTAIN = 170_000;

/** The schema of pg-boss's tables: our own, so that it never conflicts with another queue in the same database. */
export const JOB_SCHEMA = 'fermata_jobs';
const jobRights: Record<string, string> = {
  archive: ALL,
  job: ALL,
  queue: READ,
  schedule: CHANGE,
  version: 'select, update',
};

/** What the statements below depend on. */
export interface RolePlace {
  /** The schema of the ledger's tables. */
  schema: string;
  owner: string;
  roles: Record<RoleKind, string>;
  /** PostgreSQL's own, such as 170004. */
  serverVersion: number;
}

/** The statements that create the roles if they are missing, and give each exactly its rights. They can be repeated. */
export function roleStatements({ schema, owner, roles, serverVersion }: RolePlace): string[] {
  const within = (table: string) => `${name(schema)}.${name(table)}`;
  const everybody = names(Object.values(roles));
  const writers = names([roles.hub, roles.worker]);
  const tables = Object.entries(tableRights);
  const guard = `${name(schema)}.fermata_guard_answers`;
  const createQueue = `${JOB_SCHEMA}.create_queue(text, json)`;
  return [
    ...Object.values(roles).map(createRole),
    `revoke create on schema ${name(schema)} from public`,
    `grant usage on schema ${name(schema)} to ${everybody}`,
    `revoke all on ${tables.map(([table]) => within(table)).join(', ')} from public, ${everybody}`,
    ...tables.flatMap(([table, rights]) =>
      grouped(rights).map(
        ([right, kinds]) =>
          `grant ${right} on ${within(table)} to ${names(kinds.map((kind) => roles[kind]))}`,
      ),
    ),
    `grant usage on sequence ${sequences.map(within).join(', ')} to ${writers}`,
    ...(serverVersion < MAINTAIN
      ? []
      : [`grant maintain on ${analyzed.map(within).join(', ')} to ${writers}`]),
    `create or replace function ${guard}() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as ${text(GUARD)}`,
    `alter function ${guard}() owner to ${name(owner)}`,
    `create or replace trigger fermata_guard_answers before insert or update of responses, replaced on ${within('open_questions')}
  for each row execute function ${guard}(${text(roles.hub)})`,
    `grant usage on schema ${JOB_SCHEMA} to ${writers}`,
    ...Object.entries(jobRights).flatMap(([table, rights]) => [
      `revoke all on ${JOB_SCHEMA}.${table} from public, ${everybody}`,
      `grant ${rights} on ${JOB_SCHEMA}.${table} to ${writers}`,
    ]),
    // A queue is a table. This function of pg-boss creates it with the owner's rights, and can do nothing else.
    `alter function ${createQueue} security definer set search_path = pg_catalog, pg_temp`,
    `revoke all on function ${createQueue} from public, ${everybody}`,
    `grant execute on function ${createQueue} to ${writers}`,
  ];
}

/** With LOGIN but without a password, so that nobody can log in by password until it has one. */
function createRole(role: string): string {
  const create = `begin
  if not exists (select from pg_roles where rolname = ${text(role)}) then create role ${name(role)} login; end if;
end`;
  return `do ${text(create)}`;
}

/** The rights with the roles that have them. */
function grouped(rights: Rights): [string, RoleKind[]][] {
  const groups = new Map<string, RoleKind[]>();
  for (const kind of roleKinds) {
    const right = rights[kind];
    if (right !== undefined) groups.set(right, [...(groups.get(right) ?? []), kind]);
  }
  return [...groups];
}

/**
 * Refuses answers that only a person may give, unless they come from the hub's role (the argument) or the owner. PostgreSQL has
 * no rights on part of a value, and workers have to write the rest: defaults after a deadline, delivered answers.
 */
const GUARD = `
declare
  personal constant jsonpath := case when new.kind in ('gate', 'approval') then '$[*]'
    else '$[*] ? (!(@.by.actor.kind == "policy"))' end;
  earlier jsonb := '[]';
begin
  if pg_has_role(current_user, tg_argv[0], 'USAGE')
    or pg_has_role(current_user, (select relowner from pg_class where oid = tg_relid), 'USAGE') then
    return new;
  end if;
  if tg_op = 'UPDATE' then
    if new.responses = old.responses and new.replaced is not distinct from old.replaced then return new; end if;
    earlier := jsonb_path_query_array(old.responses::jsonb, personal);
  end if;
  if jsonb_path_query_array(new.responses::jsonb, personal) <> earlier
    or (tg_op = 'INSERT' and new.replaced is not null)
    or (tg_op = 'UPDATE' and new.replaced is distinct from old.replaced) then
    raise exception 'only the role "%" may store what a person answers', tg_argv[0]
      using errcode = 'insufficient_privilege';
  end if;
  return new;
end`;

const name = (identifier: string) => `"${identifier.replaceAll('"', '""')}"`;
const names = (identifiers: string[]) => identifiers.map(name).join(', ');
const text = (value: string) => `'${value.replaceAll("'", "''")}'`;
