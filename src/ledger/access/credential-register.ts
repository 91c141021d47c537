import { createHash } from 'node:crypto';
import type { By } from '../../schema/actor.ts';
import { type Role, type Token, TokenInput } from '../../schema/credential.ts';
import { FermataError } from '../../schema/error.ts';
import { check } from '../check.ts';
import { insert } from '../engine/statements.ts';
import type { SqlRunner, Store, Tx } from '../engine/store.ts';
import { type Cursor, iso, readCursor } from '../engine/stored.ts';
import type { CredentialKind, CredentialRow } from '../engine/tables.ts';
import { newId, newSecret } from '../ids.ts';
import { collectPage, deleteNoticesOf, PAGE, selectSinks } from '../notices/notice-outbox.ts';
import { selectOpenOf } from '../notifications/notification-sql.ts';
import { settle } from '../notifications/settle.ts';
import { selectProjects } from '../projects/project-sql.ts';

/** What a secret grants. */
export interface Credential {
  id: string;
  kind: CredentialKind;
  name: string;
  role: Role;
  projectId: string | null;
  /** The credential that created a session or ticket; null if that was the hub's own token. */
  parent: string | null;
}

export interface NewCredential extends Pick<Credential, 'name' | 'role' | 'projectId' | 'parent'> {
  kind: Exclude<CredentialKind, 'token'>;
  seconds: number;
}

/** Who may talk to the hub. Stores only hashes, so that nobody who reads the ledger learns a secret. */
export class CredentialRegister {
  readonly #store: Store;

  /** @internal */
  constructor(store: Store) {
    this.#store = store;
  }

  /** Creates a token for a program. Its secret is returned only here. */
  async makeToken(input: TokenInput): Promise<{ token: Token; secret: string }> {
    const { name, role, projectId = null } = check(TokenInput, input, 'Token');
    const { row, secret } = newCredential('token', { name, role, projectId, parent: null });
    const added = await this.#store.write(null, (runner) => insert(runner, 'credentials', row, 'nothing'));
    if (!added) {
      throw new FermataError('conflict', `A token named "${name}" already exists. Choose another name.`);
    }
    return { token: toToken(row), secret };
  }

  /** Oldest first; `after` is the cursor of the last one the caller has. */
  async tokens(limit: number, after?: string): Promise<Token[]> {
    const page = { limit, after: after === undefined ? undefined : readCursor(after) };
    return (await selectTokens(this.#store.reader, page)).map(toToken);
  }

  /** Logs a browser out. */
  async endSession(id: string): Promise<void> {
    await this.#delete(id, 'session');
  }

  /** Invalidates its secret and everything created with it. Drops what an agent has queued with it. */
  async revoke(id: string, by: By): Promise<void> {
    const { name, role } = await this.#delete(id, 'token');
    if (role !== 'agent') return;
    const agent: By = { actor: { kind: 'agent', name }, channel: 'rest' };
    for (const project of await selectProjects(this.#store.reader)) {
      const reason = `The token "${name}" was revoked.`;
      await this.#store.write(project.id, (tx) => dropQueued(tx, agent, reason, by));
    }
  }

  async #delete(id: string, kind: 'token' | 'session'): Promise<CredentialRow> {
    const row = await this.#store.write(null, (runner) => deleteCredential(runner, id, kind));
    if (!row) throw new FermataError('not_found', `There is no ${kind} ${id}.`);
    return row;
  }

  /** Creates a session, a login code or a ticket, and removes expired ones. */
  async make({ kind, seconds, ...of }: NewCredential): Promise<{ id: string; secret: string }> {
    const { row, secret } = newCredential(kind, of, seconds);
    await this.#store.write(null, async (runner) => {
      await deleteExpired(runner, Date.now());
      await insert(runner, 'credentials', row, 'nothing');
    });
    return { id: row.id, secret };
  }

  /** What the secret of a token or session grants. */
  async find(secret: string): Promise<Credential | undefined> {
    const row = await selectCredential(this.#store.reader, hashOf(secret));
    if (!row || (row.kind !== 'token' && row.kind !== 'session')) return undefined;
    return this.#living(row);
  }

  /** Like `find`, for a secret that can be used once; this uses it. */
  async redeem(secret: string, kind: 'login' | 'ticket'): Promise<Credential | undefined> {
    const row = await this.#store.write(null, (runner) => takeCredential(runner, hashOf(secret), kind));
    return row && this.#living(row);
  }

  /** Which of these tokens and sessions are still valid. */
  async alive(ids: string[]): Promise<Set<string>> {
    const rows = await selectAlive(this.#store.reader, ids, Date.now());
    return new Set(rows.map(({ id }) => id));
  }

  async #living(row: CredentialRow): Promise<Credential | undefined> {
    if (row.expires_at !== null && row.expires_at < Date.now()) return undefined;
    if (row.parent !== null && !(await this.alive([row.parent])).has(row.parent)) return undefined;
    return {
      id: row.id,
      kind: row.kind,
      name: row.name,
      role: row.role,
      projectId: row.project_id,
      parent: row.parent,
    };
  }
}

function newCredential(
  kind: CredentialKind,
  { name, role, projectId, parent }: Omit<NewCredential, 'kind' | 'seconds'>,
  seconds?: number,
): { row: CredentialRow; secret: string } {
  const secret = newSecret();
  const now = Date.now();
  const row = {
    hash: hashOf(secret),
    id: newId('k'),
    kind,
    role,
    name,
    project_id: projectId,
    parent,
    created_at: now,
    expires_at: seconds === undefined ? null : now + seconds * 1000,
  };
  return { row, secret };
}

/** A plain hash is enough: a secret has 256 random bits, so there is nothing to guess. */
const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex');

function toToken({ id, name, role, project_id, created_at }: CredentialRow): Token {
  return { id, name, role, projectId: project_id, createdAt: iso(created_at) };
}

/** Withdraws an asker's open questions in a project, and drops its unsent notices. */
async function dropQueued(tx: Tx, asker: By, reason: string, by: By): Promise<void> {
  const createdBy = JSON.stringify(asker);
  for (const row of await selectOpenOf(tx, createdBy)) {
    await settle(tx, row, { kind: 'withdraw', reason, by, at: iso(tx.now) }, by);
  }
  for (const { sink } of await selectSinks(tx)) {
    // Otherwise notices that nobody has collected yet would be sent later.
    while ((await collectPage(tx, sink)) === PAGE);
  }
  await deleteNoticesOf(tx, createdBy);
}

/** Looks up the hash alone; the caller checks whether it is still valid. */
export async function selectCredential(runner: SqlRunner, hash: string): Promise<CredentialRow | undefined> {
  const [row] = await runner.sql<CredentialRow>('select * from credentials where hash = ?', hash);
  return row;
}

/** The tokens and sessions that are still valid; a session also ends with its token. */
async function selectAlive(runner: SqlRunner, ids: string[], now: number): Promise<{ id: string }[]> {
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
function selectTokens(
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
async function takeCredential(
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

async function deleteCredential(
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

async function deleteExpired(runner: SqlRunner, now: number): Promise<void> {
  await runner.sql('delete from credentials where expires_at is not null and expires_at < ?', now);
}
