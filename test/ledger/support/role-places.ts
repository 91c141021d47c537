import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { ledgerRoles } from '../../../src/ledger/engine/ledger-roles.ts';
import { roleNames } from '../../../src/ledger/engine/roles.ts';
import { freshDatabase } from '../../support/fresh-database.ts';

type Who = 'owner' | 'hub' | 'worker' | 'reader';

/** The URLs of one database: for the administrator, its owner, and the ledger's roles. */
export type RolePlaces = Record<'admin' | Who, string>;

/** A new database. Its owner may do nothing else, and the ledger's roles exist without any rights. */
export async function barePlaces(): Promise<RolePlaces> {
  const admin = await freshDatabase();
  const database = new URL(admin).pathname.slice(1);
  const { hub, worker, reader } = roleNames(database) ?? { hub: '', worker: '', reader: '' };
  const owner = `${database}_owner`;
  const password = randomBytes(12).toString('hex');
  await query(
    admin,
    [owner, hub, worker, reader]
      .map((name) => `create role ${name} login password '${password}';`)
      .concat(`alter database ${database} owner to ${owner}`)
      .join(' '),
  );
  const as = (username: string) => Object.assign(new URL(admin), { username, password }).href;
  return { admin, owner: as(owner), hub: as(hub), worker: as(worker), reader: as(reader) };
}

/** The same, after the owner has shared the ledger. */
export async function rolePlaces(): Promise<RolePlaces> {
  const places = await barePlaces();
  await ledgerRoles(places.owner, { apply: true });
  return places;
}

/** Executes statements without values as whoever the URL names. */
export async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
