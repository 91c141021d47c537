import type { Client } from 'pg';
import { withoutPassword } from '../../schema/address.ts';
import { FermataError } from '../../schema/error.ts';
import { MIGRATION_LOCK, openPostgres } from './postgres.ts';
import { openConnections } from './postgres-connections.ts';
import { type RoleKind, type RolePlace, roleNames, roleStatements } from './roles.ts';
import { storeError } from './store-error.ts';

export interface LedgerRoles {
  database: string;
  owner: string;
  roles: Record<RoleKind, string>;
  /** One script, which can be executed again. */
  sql: string;
  /** Whether the tables exist, so that the script can be executed. */
  isReady: boolean;
  /** What the owner cannot change; an administrator can. */
  left: string[];
}

/** The roles of a ledger on PostgreSQL. With `apply`, creates its tables and queues if necessary, then the roles. */
export async function ledgerRoles(url: string, { apply }: { apply: boolean }): Promise<LedgerRoles> {
  const place = withoutPassword(url);
  try {
    if (apply) await install(url);
    return await withClient(url, async (client) => {
      const found = await lookUp(client, place);
      const statements = roleStatements(found);
      if (apply) await execute(client, found, statements);
      const left = await stillOpen(client, found);
      const sql = ['begin', ...statements, 'commit'].map((statement) => `${statement};\n`).join('');
      const { database, owner, roles, isReady } = found;
      return { database, owner, roles, sql, isReady, left };
    });
  } catch (error) {
    throw storeError(error, place);
  }
}

/** The tables of the ledger and of its jobs, in their current version. */
async function install(url: string): Promise<void> {
  const store = await openPostgres(url);
  try {
    await store.jobs?.install();
  } finally {
    await store.close();
  }
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = openConnections((await import('pg')).default, url, () => undefined).listener();
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

interface Found extends RolePlace {
  database: string;
  isReady: boolean;
  me: string;
  isOwner: boolean;
  mayCreateRoles: boolean;
}

async function lookUp(client: Client, place: string): Promise<Found> {
  const { rows } = await client.query(
    `select current_database() as database, current_user as me, current_setting('server_version_num')::int as "serverVersion",
       coalesce(relnamespace::regnamespace::text, quote_ident(current_schema())) as schema, relowner is not null as "isReady",
       coalesce(pg_get_userbyid(relowner), current_user) as owner, coalesce(pg_has_role(relowner, 'USAGE'), true) as "isOwner",
       (select rolsuper or rolcreaterole from pg_roles where rolname = current_user) as "mayCreateRoles"
     from (select to_regclass('fermata_version') as id) as known left join pg_class on oid = id`,
  );
  const roles = roleNames(rows[0].database);
  if (!roles) {
    throw new FermataError(
      'invalid',
      `The name of the database at ${place} is too long: its roles are called NAME_worker, and PostgreSQL allows 63 bytes. Rename the database.`,
    );
  }
  return { ...rows[0], roles };
}

async function execute(client: Client, found: Found, statements: string[]): Promise<void> {
  const { owner, me, isOwner, roles, mayCreateRoles } = found;
  if (!isOwner) {
    throw new FermataError(
      'forbidden',
      `The tables belong to "${owner}", so "${me}" may not share them. Run this command as "${owner}" (set FERMATA_STORE), or give its output to psql as an administrator.`,
    );
  }
  const { rows } = await client.query(
    `select rolname as role, rolsuper or pg_has_role(rolname, $2, 'MEMBER') as "isOwner" from pg_roles where rolname = any($1)`,
    [Object.values(roles), owner],
  );
  const missing = Object.values(roles).filter((role) => !rows.some((row) => row.role === role));
  if (missing.length > 0 && !mayCreateRoles) {
    throw new FermataError(
      'forbidden',
      `"${me}" may not create roles. Create ${missing.map((role) => `"${role}"`).join(', ')} as an administrator (create role NAME login), then run this command again.`,
    );
  }
  const unlimited = rows.find((row) => row.isOwner);
  if (unlimited) {
    throw new FermataError(
      'invalid',
      `The role "${unlimited.role}" is a superuser or has the rights of "${owner}", so nothing can be withheld from it. Take that away (alter role … nosuperuser, revoke ${owner} from …), then run this command again.`,
    );
  }
  await client.query('begin');
  await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  for (const statement of statements) await client.query(statement);
  await client.query('commit');
}

/** Before PostgreSQL 15, everybody may create tables in the schema `public`, and only its owner can change that. */
async function stillOpen(client: Client, { schema, roles, isReady }: Found): Promise<string[]> {
  if (!isReady) return [];
  const { rows } = await client.query(
    `select rolname from pg_roles where rolname = any($1) and has_schema_privilege(rolname, $2, 'CREATE')`,
    [Object.values(roles), schema],
  );
  return rows.length === 0 ? [] : [`revoke create on schema ${schema} from public`];
}
