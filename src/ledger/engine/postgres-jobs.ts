import type { PoolClient, QueryResult } from 'pg';
import type PgBoss from 'pg-boss';
import { FermataError } from '../../schema/error.ts';
import { countQueued, markQueued, selectUnqueued, selectWantedGroups } from '../tasks/queue-sql.ts';
import { JOB_SCHEMA } from './roles.ts';
import { postgresRunner } from './runners.ts';
import type { JobQueue, QueuedJob, WantedGroup } from './store.ts';
import { ASK_OWNER } from './store-error.ts';
import type { TaskRow } from './tables.ts';

/** Where jobs go that failed every time. */
const DEAD = 'dead';
const REGULAR = 'regular';
const EVERY_MINUTE = '* * * * *';
/** Fetching sorts the queued jobs, so only this many per group are queued; more follow as these are taken. */
const WINDOW = 100;

const nameOf = ({ projectId, needs }: WantedGroup) => `work ${projectId} ${needs}`;

/** Whether the ledger's tables belong to this role; null if there are none. */
export const IS_OWNER =
  "select pg_has_role(relowner, 'USAGE') from pg_class where oid = to_regclass('fermata_version')";

type Execute = (text: string, values: unknown[]) => Promise<QueryResult>;

/** Jobs by pg-boss, on the connections of the ledger. */
export class PostgresJobs implements JobQueue {
  /** Some of its statements begin a transaction; if one fails, the connection is not used again. */
  readonly #execute: Execute;
  readonly #place: string;
  #boss: Promise<PgBoss> | undefined;
  #isInstalled = false;

  constructor(execute: Execute, place: string) {
    this.#execute = execute;
    this.#place = place;
  }

  async install(): Promise<void> {
    await this.#installed();
  }

  async open(group: WantedGroup): Promise<void> {
    const boss = await this.#installed();
    const name = nameOf(group);
    await boss.createQueue(name, {
      name,
      policy: 'standard',
      retryLimit: 5,
      retryDelay: 1,
      retryBackoff: true,
      expireInSeconds: 60,
      deadLetter: DEAD,
    });
  }

  async take(group: WantedGroup): Promise<QueuedJob | undefined> {
    const boss = await this.#installed();
    const [job] = await boss.fetch<{ taskId: string }>(nameOf(group));
    return job && { ...group, id: job.id, taskId: job.data.taskId };
  }

  async done(job: QueuedJob): Promise<void> {
    await (await this.#installed()).complete(nameOf(job), job.id);
  }

  async failed(job: QueuedJob, reason: string): Promise<void> {
    await (await this.#installed()).fail(nameOf(job), job.id, { reason });
  }

  async countDead(): Promise<number> {
    if (!(await this.#hasTables(this.#execute))) return 0;
    const unread = `select count(*) as count from ${JOB_SCHEMA}.job where name = $1 and state = 'created'`;
    return Number((await this.#execute(unread, [DEAD])).rows[0].count);
  }

  async supervise(): Promise<{ stop(): Promise<void> }> {
    await this.#installed();
    const boss = await this.#make({ supervise: true, schedule: true });
    await boss.start();
    await boss.createQueue(REGULAR);
    await boss.schedule(REGULAR, EVERY_MINUTE);
    return { stop: () => boss.stop({ graceful: false }) };
  }

  async takesTurn(): Promise<boolean> {
    const boss = await this.#installed();
    const jobs = await boss.fetch(REGULAR, { batchSize: 10 });
    if (jobs.length > 0)
      await boss.complete(
        REGULAR,
        jobs.map(({ id }) => id),
      );
    return jobs.length > 0;
  }

  /** Runs in the transaction that made the tasks ready, so that there is a job if and only if there is a task. */
  async queueReady(client: PoolClient, projectId: string): Promise<void> {
    const runner = postgresRunner((statement) => client.query(statement), this.#place);
    for (const group of await selectWantedGroups(runner, projectId)) {
      const room = WINDOW - (await countQueued(runner, group, WINDOW));
      const tasks = room > 0 ? await selectUnqueued(runner, group, room) : [];
      if (tasks.length === 0 || !(await this.#hasTables((text, values) => client.query(text, values))))
        continue;
      const boss = await this.#get();
      const db = { executeSql: (text: string, values: unknown[]) => client.query(text, values) };
      await boss.insert(
        tasks.map((task) => ({ name: nameOf(group), data: { taskId: task.id }, priority: rankOf(task) })),
        { db },
      );
      await markQueued(
        runner,
        projectId,
        tasks.map(({ id }) => id),
      );
    }
  }

  /** A ledger restored without these tables has none until a worker starts, which also looks at the task tables. */
  async #hasTables(execute: Execute): Promise<boolean> {
    if (this.#isInstalled) return true;
    const { rows } = await execute('select to_regclass($1) is not null as there', [`${JOB_SCHEMA}.job`]);
    this.#isInstalled = rows[0].there;
    return this.#isInstalled;
  }

  async #installed(): Promise<PgBoss> {
    const boss = await this.#get();
    if (this.#isInstalled) return boss;
    await this.#createTables();
    await boss.createQueue(DEAD);
    this.#isInstalled = true;
    return boss;
  }

  /** Only their owner creates or updates them; for anyone else they have to be there. */
  async #createTables(): Promise<void> {
    const { rows } = await this.#execute(`select (${IS_OWNER}) as is_owner`, []);
    const boss = await this.#make({ supervise: false, schedule: false, migrate: rows[0].is_owner });
    try {
      await boss.start();
    } catch (error) {
      if (!(error instanceof Error) || !ABSENT.test(error.message)) throw error;
      const wrong = `The ledger at ${this.#place} lacks current tables for its jobs, and this role may not create them.`;
      throw new FermataError('forbidden', `${wrong} ${ASK_OWNER}`, { cause: error });
    }
  }

  #get(): Promise<PgBoss> {
    this.#boss ??= this.#make({ supervise: false, schedule: false });
    return this.#boss;
  }

  async #make(does: { supervise: boolean; schedule: boolean; migrate?: boolean }): Promise<PgBoss> {
    const { default: Boss } = await import('pg-boss');
    const db = { executeSql: (text: string, values: unknown[] = []) => this.#execute(text, values) };
    const boss = new Boss({ db, schema: JOB_SCHEMA, migrate: false, ...does });
    // It reports errors of its timers. The next timer tries again, and whoever uses the ledger gets the error.
    boss.on('error', () => undefined);
    return boss;
  }
}

/** What pg-boss says if it may not create or update its tables. */
const ABSENT = /^pg-boss (?:is not installed|database requires migrations)$/;

/** The order of the tables: by priority, then as in the plan. The highest rank is fetched first. */
const rankOf = ({ priority, position }: Pick<TaskRow, 'priority' | 'position'>) =>
  -(priority * 400_000_000 + Math.min(position, 399_999_999));
