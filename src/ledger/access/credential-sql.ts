import type { SqlRunner } from '../engine/store.ts';
import type { CredentialRow } from '../engine/tables.ts';
import type { Cursor } from '../events/cursor.ts';

/** False if the name of a token is taken. */
export async function insertCredential(runner: SqlRunner, row: CredentialRow): Promise<boolean> {
  const rows = await runner.run(
    runner.db
      .insertInto('credentials')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .returning('id'),
  );
  return rows.length === 1;
}

/** Looks up the hash alone; the caller checks whether it is still valid. */
export async function selectCredential(runner: SqlRunner, hash: string): Promise<CredentialRow | undefined> {
  const [row] = await runner.sql<CredentialRow>('select * from credentials where hash = ?', hash);
  return row;
}

/** The tokens and sessions that are still valid; a session also ends with its token. */
export async function selectAlive(runner: SqlRunner, ids: string[], now: number): Promise<{ id: string }[]> {
  if (ids.length === 0) return [];
  return runner.run(
    runner.db
      .selectFrom('credentials as c')
      .leftJoin('credentials as p', 'p.id', 'c.parent')
      .select('c.id')
      .where('c.id', 'in', ids)
      .where((is) => is.or([is('c.expires_at', 'is', null), is('c.expires_at', '>=', now)]))
      .where((is) => is.or([is('c.parent', 'is', null), is('p.id', 'is not', null)]))
      .where((is) => is.or([is('p.expires_at', 'is', null), is('p.expires_at', '>=', now)])),
  );
}

/** Oldest first. */
export function selectTokens(
  runner: SqlRunner,
  { after, limit }: { after?: Cursor; limit: number },
): Promise<CredentialRow[]> {
  return runner.sql<CredentialRow>(
    `select * from credentials where kind = 'token' ${after ? 'and (created_at, id) > (?, ?)' : ''}
     order by created_at, id limit ?`,
    ...(after ? [after.at, after.id] : []),
    limit,
  );
}

/** Deletes it when it is found, so that it can be used only once. */
export async function takeCredential(
  runner: SqlRunner,
  hash: string,
  kind: string,
): Promise<CredentialRow | undefined> {
  const [row] = await runner.sql<CredentialRow>(
    'delete from credentials where hash = ? and kind = ? returning *',
    hash,
    kind,
  );
  return row;
}

export async function deleteCredential(
  runner: SqlRunner,
  id: string,
  kind: string,
): Promise<CredentialRow | undefined> {
  const [row] = await runner.sql<CredentialRow>(
    'delete from credentials where id = ? and kind = ? returning *',
    id,
    kind,
  );
  return row;
}

export async function deleteExpired(runner: SqlRunner, now: number): Promise<void> {
  await runner.sql('delete from credentials where expires_at is not null and expires_at < ?', now);
}
