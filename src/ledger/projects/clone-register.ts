import type { By } from '../../schema/actor.ts';
import { type AcceptedRemote, type Clone, CloneInput } from '../../schema/clone.ts';
import { refuseAgent } from '../access/refuse-agent.ts';
import { check } from '../check.ts';
import { insert } from '../engine/statements.ts';
import type { SqlRunner, Store, Tx } from '../engine/store.ts';
import { iso } from '../engine/stored.ts';
import type { AcceptedRemoteRow, CloneRow } from '../engine/tables.ts';
import { selectProject } from './project-sql.ts';

/** The copies of a project's repository, and the addresses from which they may come. */
export class CloneRegister {
  readonly #store: Store;

  /** @internal */
  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Records that a clone belongs to a project. If it does not, returns the reason and records nothing. On a shared store it
   * belongs there only if a person has accepted its remote; the first clone of a project with nothing in it is accepted, unless
   * an agent acts. Forgets clones for which `isGone` is true.
   */
  async join(
    input: CloneInput,
    { repository, by, accepts = false, isGone }: JoinOptions,
  ): Promise<{ conflict?: CloneConflict; isNew?: true }> {
    const own = check(CloneInput, input, 'Clone');
    if (accepts) refuseAgent(by, 'accept a clone of a project');
    const isShared = this.#store.dialect === 'postgres';
    return this.#store.write(own.projectId, async (tx) => {
      const rows = (await selectClones(tx, own.projectId)).map(toClone);
      const known = rows.filter(({ id }) => id !== own.id);
      const gone = known.filter(isGone);
      const others = known.filter((clone) => !gone.includes(clone));
      const remotes = (await selectRemotes(tx, own.projectId)).map(toRemote);
      const before = rows.find(({ id }) => id === own.id);
      const isFirst = isShared && rows.length + remotes.length === 0 && by.actor.kind === 'person';
      const isNew = isFirst && (await selectProject(tx, own.projectId))[0]?.last_event === 0;
      const isUnchanged = repository === null && before?.host === own.host && before.folder === own.folder;
      const isAccepted = accepts || isNew || isUnchanged || !isShared;
      const conflict = findCloneConflict(own, repository, { others, remotes }, isAccepted);
      if (conflict) return { conflict };
      for (const { id } of gone) await deleteClone(tx, id);
      await putClone(tx, {
        id: own.id,
        project_id: own.projectId,
        host: own.host,
        folder: own.folder,
        roots: JSON.stringify(own.roots),
        remote: own.remote?.address ?? null,
        remote_name: own.remote?.name ?? null,
        seen_at: tx.now,
        joined_at: tx.now,
      });
      if (isShared && (accepts || isNew) && repository !== null) await accept(tx, repository, own.roots, by);
      return isNew ? { isNew } : {};
    });
  }

  /** Says that clones of a project may come from an address: see `repositoryAt`. */
  async accept(projectId: string, repository: string, by: By): Promise<void> {
    refuseAgent(by, 'accept the address of a project');
    await this.#store.write(projectId, (tx) => accept(tx, repository, [], by));
  }

  /** Most recently used first. */
  async list(projectId: string): Promise<Clone[]> {
    return (await selectClones(this.#store.reader, projectId)).map(toClone);
  }

  /** The addresses that a person has accepted for a project, the first one first. */
  async accepted(projectId: string): Promise<AcceptedRemote[]> {
    return (await selectRemotes(this.#store.reader, projectId)).map(toRemote);
  }

  /** The ids of the projects that a clone has joined, the first one first. A copy elsewhere is another clone. */
  async projectsOf({ id, host, folder }: Pick<Clone, 'id' | 'host' | 'folder'>): Promise<string[]> {
    const rows = await this.#store.reader.sql<{ project_id: string }>(
      'select project_id from clones where id = ? and host = ? and folder = ? order by joined_at, project_id',
      ...[id, host, folder],
    );
    return rows.map(({ project_id }) => project_id);
  }
}

export interface JoinOptions {
  /** Which repository its remote names, to compare it with others: see `repositoryAt`. */
  repository: string | null;
  by: By;
  /** Whether a person accepts the clone's remote now. */
  accepts?: boolean;
  isGone(clone: Clone): boolean;
}

async function accept(tx: Tx, address: string, roots: string[], by: By): Promise<void> {
  const row = {
    project_id: tx.projectId,
    address,
    roots: JSON.stringify(roots),
    by: JSON.stringify(by),
    at: tx.now,
  };
  if (await insert(tx, 'accepted_remotes', row, 'nothing'))
    tx.emit({ type: 'settings.updated', by, data: { acceptedRemote: address } });
}

function selectRemotes(runner: SqlRunner, projectId: string): Promise<AcceptedRemoteRow[]> {
  return runner.sql<AcceptedRemoteRow>(
    'select * from accepted_remotes where project_id = ? order by at, address',
    projectId,
  );
}

/** The clones of a project, most recently used first. */
function selectClones(runner: SqlRunner, projectId: string): Promise<CloneRow[]> {
  return runner.sql<CloneRow>(
    'select * from clones where project_id = ? order by seen_at desc, id',
    projectId,
  );
}

/** Adds a clone, or replaces what is known of it. */
async function putClone(tx: Tx, row: CloneRow): Promise<void> {
  const { joined_at: _, ...current } = row;
  await tx.run(
    tx.db
      .insertInto('clones')
      .values(row)
      .onConflict((conflict) => conflict.columns(['project_id', 'id']).doUpdateSet(current)),
  );
}

async function deleteClone(tx: Tx, id: string): Promise<void> {
  await tx.sql('delete from clones where project_id = ? and id = ?', tx.projectId, id);
}

function toClone(row: CloneRow): Clone {
  return {
    projectId: row.project_id,
    id: row.id,
    host: row.host,
    folder: row.folder,
    roots: JSON.parse(row.roots),
    remote:
      row.remote === null || row.remote_name === null ? null : { name: row.remote_name, address: row.remote },
    seenAt: iso(row.seen_at),
  };
}

function toRemote({ address, roots, by, at }: AcceptedRemoteRow): AcceptedRemote {
  return { address, roots: JSON.parse(roots), by: JSON.parse(by), at: iso(at) };
}

/** Why a clone does not belong to a project: what is wrong, and the other clone if it is about one. */
export interface CloneConflict {
  kind: 'other_repository' | 'second_clone' | 'unknown_remote' | 'unknown_clone';
  other?: Clone;
}

/** What is known of a project before a clone joins it. */
export interface KnownProject {
  /** Its other clones. */
  others: readonly Clone[];
  /** The addresses that a person has accepted. */
  remotes: readonly AcceptedRemote[];
}

/**
 * Clones that share a project need a common first commit, and a remote through which they exchange commits. Without one, a
 * phase would start without the commits of earlier phases. `repository` is what the clone's remote names, to compare it with
 * what was accepted; `accepts` is true if a person accepts it now.
 */
export function findCloneConflict(
  own: CloneInput,
  repository: string | null,
  { others, remotes }: KnownProject,
  accepts: boolean,
): CloneConflict | undefined {
  const [other] = others;
  const about = other ? { other } : {};
  if (!hasCommonRoot(own.roots, [...others, ...remotes])) return { kind: 'other_repository', ...about };
  if (own.remote === null && other) return { kind: 'second_clone', other };
  if (accepts || remotes.some(({ address }) => address === repository)) return undefined;
  return { kind: repository === null ? 'unknown_clone' : 'unknown_remote', ...about };
}

/** True if nothing is known to compare with. */
function hasCommonRoot(own: readonly string[], known: readonly { roots: string[] }[]): boolean {
  const roots = new Set(known.flatMap((each) => each.roots));
  return roots.size === 0 || own.some((root) => roots.has(root));
}
