import { type Clone, CloneInput } from '../../schema/clone.ts';
import { check } from '../check.ts';
import { iso } from '../engine/iso.ts';
import type { SqlRunner, Store, Tx } from '../engine/store.ts';
import type { CloneRow } from '../engine/tables.ts';
import { type CloneConflict, findCloneConflict } from './clone-machine.ts';

/** The copies of a project's repository in which its plans run. */
export class CloneRegister {
  readonly #store: Store;

  /** @internal */
  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Records that a clone works on its project. If it may not, returns the reason and records nothing. Forgets clones for
   * which `isGone` is true.
   */
  async join(input: CloneInput, isGone: (clone: Clone) => boolean): Promise<CloneConflict | undefined> {
    const own = check(CloneInput, input, 'Clone');
    return this.#store.write(own.projectId, async (tx) => {
      const others = (await selectClones(tx, own.projectId)).map(toClone).filter(({ id }) => id !== own.id);
      const gone = others.filter(isGone);
      const conflict = findCloneConflict(
        own,
        others.filter((clone) => !gone.includes(clone)),
      );
      if (conflict) return conflict;
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
      });
      return undefined;
    });
  }

  /** Most recently used first. */
  async list(projectId: string): Promise<Clone[]> {
    return (await selectClones(this.#store.reader, projectId)).map(toClone);
  }
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
  await tx.run(
    tx.db
      .insertInto('clones')
      .values(row)
      .onConflict((conflict) => conflict.columns(['project_id', 'id']).doUpdateSet(row)),
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
