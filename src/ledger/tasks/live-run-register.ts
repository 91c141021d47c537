import type { SqlRunner, Store } from '../engine/store.ts';
import { selectNow } from '../engine/stored.ts';
import type { LiveRunRow } from '../engine/tables.ts';
import { FORGOTTEN_MS } from './worker-register.ts';

/** A process that runs the tasks of one plan, or one task. */
export interface LiveRun {
  /** Ends with the process, after an `@`. */
  id: string;
  /** The machine and folder where its agents keep their sessions. */
  home: string;
  projectId: string;
  /** How the ids of its tasks begin. */
  within: string;
}

/** The runs that are alive. An answer goes to the run that has the session, as it goes to a worker that has it. */
export class LiveRunRegister {
  readonly #store: Store;

  /** @internal */
  constructor(store: Store) {
    this.#store = store;
  }

  async seen({ id, home, projectId, within }: LiveRun): Promise<void> {
    await this.#store.write(null, async (runner) => {
      const now = await selectNow(runner);
      await putLiveRun(runner, { id, home, project_id: projectId, within, seen_at: now });
      await deleteLiveRunsUnseenSince(runner, now - FORGOTTEN_MS);
    });
  }

  /** The run is over; others may take its tasks at once. */
  async gone(id: string): Promise<void> {
    await this.#store.write(null, (runner) => deleteLiveRun(runner, id));
  }

  /** Forgets runs of dead processes before they count as gone by time; false if there are none. */
  async forgetDead(isDead: (process: string) => boolean): Promise<boolean> {
    const rows = await selectLiveRuns(this.#store.reader);
    const dead = rows.filter(({ id }) => isDead(id.slice(id.lastIndexOf('@') + 1)));
    for (const { id } of dead) await this.gone(id);
    return dead.length > 0;
  }
}

async function putLiveRun(runner: SqlRunner, row: LiveRunRow): Promise<void> {
  await runner.run(
    runner.db
      .insertInto('live_runs')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row)),
  );
}

async function deleteLiveRun(runner: SqlRunner, id: string): Promise<void> {
  await runner.sql('delete from live_runs where id = ?', id);
}

async function deleteLiveRunsUnseenSince(runner: SqlRunner, time: number): Promise<void> {
  await runner.sql('delete from live_runs where seen_at < ?', time);
}

function selectLiveRuns(runner: SqlRunner): Promise<Pick<LiveRunRow, 'id'>[]> {
  return runner.sql('select id from live_runs order by id limit 1000');
}
