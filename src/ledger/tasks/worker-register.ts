import { type Worker, WorkerInput } from '../../schema/work.ts';
import { check } from '../check.ts';
import type { SqlRunner, Store } from '../engine/store.ts';
import { iso, selectNow } from '../engine/stored.ts';
import type { WorkerRow } from '../engine/tables.ts';
import { fromNeedsText, needsText } from './abilities.ts';

/** A worker without a heartbeat for this long is gone. */
export const ALIVE_MS = 20_000;
/** How often a worker sends a heartbeat. */
export const SEEN_MS = ALIVE_MS / 4;
const FORGOTTEN_MS = 24 * 60 * 60 * 1000;

/** The processes that do tasks now. An answer goes to the one that has the session of its agent. */
export class WorkerRegister {
  readonly #store: Store;

  /** @internal */
  constructor(store: Store) {
    this.#store = store;
  }

  /** The worker is running and has these abilities. */
  async seen(input: WorkerInput): Promise<void> {
    const { abilities, projects, ...worker } = check(WorkerInput, input, 'Worker');
    await this.#store.write(null, async (runner) => {
      const now = await selectNow(runner);
      await putWorker(runner, {
        ...worker,
        within: worker.within ?? null,
        abilities: needsText(abilities),
        projects: projects && JSON.stringify(projects),
        started_at: now,
        seen_at: now,
      });
      await deleteWorkersUnseenSince(runner, now - FORGOTTEN_MS);
    });
  }

  /** The worker has stopped; others may take its tasks at once. */
  async gone(id: string): Promise<void> {
    await this.#store.write(null, (runner) => deleteWorker(runner, id));
  }

  /** Forgets those of dead processes before they count as gone by time; false if there are none. */
  async forgetDead(isDead: (process: string) => boolean): Promise<boolean> {
    const rows = await this.#store.reader.sql<{ id: string }>(
      'select id from workers order by id limit 1000',
    );
    const dead = rows.filter(({ id }) => isDead(id.slice(id.lastIndexOf('@') + 1)));
    for (const { id } of dead) await this.gone(id);
    return dead.length > 0;
  }

  /** The running workers that take whatever is queued, by name. */
  async list(): Promise<Worker[]> {
    const { reader } = this.#store;
    return (await selectWorkers(reader, (await selectNow(reader)) - ALIVE_MS)).map(toWorker);
  }
}

function toWorker({ abilities, projects, started_at, seen_at, within: _, ...row }: WorkerRow): Worker {
  return {
    ...row,
    abilities: fromNeedsText(abilities),
    projects: projects === null ? null : JSON.parse(projects),
    startedAt: iso(started_at),
    seenAt: iso(seen_at),
  };
}

/** Adds a worker, or records that it is still running. */
async function putWorker(runner: SqlRunner, row: WorkerRow): Promise<void> {
  const { started_at: _, ...changed } = row;
  await runner.run(
    runner.db
      .insertInto('workers')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(changed)),
  );
}

async function deleteWorker(runner: SqlRunner, id: string): Promise<void> {
  await runner.sql('delete from workers where id = ?', id);
}

async function deleteWorkersUnseenSince(runner: SqlRunner, time: number): Promise<void> {
  await runner.sql('delete from workers where seen_at < ?', time);
}

/** The workers seen since then, by name. */
function selectWorkers(runner: SqlRunner, since: number): Promise<WorkerRow[]> {
  return runner.sql<WorkerRow>(
    'select * from workers where seen_at > ? and within is null order by name, id limit 1000',
    since,
  );
}
