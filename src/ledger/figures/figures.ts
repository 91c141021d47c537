import { REJECTED_PUSH } from '../../schema/block-reason.ts';
import type { Insights } from '../../schema/insights.ts';
import type { Worker } from '../../schema/work.ts';
import type { SqlRunner, Store } from '../engine/store.ts';
import { isPlain } from '../tasks/plain.ts';
import { countWanted } from '../tasks/queue-sql.ts';
import { WorkerRegister } from '../tasks/worker-register.ts';
import { readInsights } from './insights.ts';
import type { Asked } from './insights-sql.ts';

/** The figures that an operator of Fermata watches, over all projects. */
export interface Figures {
  openNotifications: number;
  /** How long the oldest open question has waited; 0 if none is open. */
  oldestOpenSeconds: number;
  /** How long questions of the last day waited for their answer. */
  answerWait: { count: number; sum: number; p50: number; p95: number };
  readyTasks: number;
  leases: { held: number; expired: number };
  agents: { agent: string; status: string; count: number }[];
  /** How many running workers have an ability. */
  workers: { ability: string; count: number }[];
  /** Tasks that wait for a worker. */
  queuedTasks: number;
  /** Tasks that stopped because their remote refused a push. */
  rejectedPushes: number;
  /** Jobs that failed every time; 0 on a store without jobs. */
  deadJobs: number;
}

const DAY_MS = 86_400_000;
/** The most answers that one scrape reads. */
const MAX_ANSWERS = 10_000;
const MAX_READY = 100_000;

export class FigureReader {
  readonly #store: Store;

  /** @internal */
  constructor(store: Store) {
    this.#store = store;
  }

  async read(now = Date.now()): Promise<Figures> {
    const { reader } = this.#store;
    const open = await selectOpen(reader);
    return {
      openNotifications: open.count,
      oldestOpenSeconds: open.oldest === null ? 0 : Math.max(now - open.oldest, 0) / 1000,
      answerWait: summary(await selectWaits(reader, now - DAY_MS, MAX_ANSWERS)),
      readyTasks: await countReady(reader, MAX_READY),
      leases: await countLeases(reader, now),
      agents: await countAgents(reader),
      workers: byAbility(await new WorkerRegister(this.#store).list()),
      queuedTasks: await countWanted(reader, MAX_READY),
      rejectedPushes: await countRejectedPushes(reader),
      deadJobs: (await this.#store.jobs?.countDead()) ?? 0,
    };
  }

  /** What the questions asked since then cost, and what they were worth; of one project, or of all. */
  insights(which: Asked, now = Date.now()): Promise<Insights> {
    return readInsights(this.#store.reader, which, now);
  }
}

function byAbility(workers: readonly Worker[]): Figures['workers'] {
  const abilities = workers.flatMap((worker) => worker.abilities);
  const count = (ability: string) => abilities.filter((each) => each === ability).length;
  return [...new Set(abilities)].sort().map((ability) => ({ ability, count: count(ability) }));
}

function summary(waitsMs: number[]): Figures['answerWait'] {
  const sorted = waitsMs.map((ms) => Math.max(ms, 0) / 1000).sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
  return { count: sorted.length, sum: sorted.reduce((a, b) => a + b, 0), p50: at(0.5), p95: at(0.95) };
}

/** How many questions wait for a person, and when the oldest of them was asked. */
async function selectOpen(session: SqlRunner): Promise<{ count: number; oldest: number | null }> {
  const [row] = await session.sql<{ count: number; oldest: number | null }>(
    "select count(*) as count, min(created_at) as oldest from open_questions where status = 'open'",
  );
  return { count: Number(row?.count ?? 0), oldest: row?.oldest == null ? null : Number(row.oldest) };
}

/**
 * How long the questions asked since then waited for their answer, newest first. Uses the index on status, whose second
 * column only has the values 0 and 1.
 */
async function selectWaits(session: SqlRunner, since: number, most: number): Promise<number[]> {
  const rows = await session.sql<{ waited: number }>(
    `select resolved_at - created_at as waited from open_questions
     where status in ('answered', 'delivered') and overflow in (0, 1) and created_at > ? and resolved_at is not null
     order by created_at desc limit ?`,
    since,
    most,
  );
  return rows.map(({ waited }) => Number(waited));
}

/** The tasks that could start now, counted up to `most`. */
async function countReady(session: SqlRunner, most: number): Promise<number> {
  const [row] = await session.sql<{ count: number }>(
    `select count(*) as count from (select 1 from tasks
     where status = 'open' and unfinished = 0 and assignee is null and paused = 0 and ${isPlain} limit ?) as counted`,
    most,
  );
  return Number(row?.count ?? 0);
}

/** Claimed tasks, by whether the lease is still valid. */
async function countLeases(session: SqlRunner, now: number): Promise<{ held: number; expired: number }> {
  const [row] = await session.sql<{ held: number | null; expired: number | null }>(
    `select sum(case when lease_until > ? then 1 else 0 end) as held,
            sum(case when lease_until <= ? then 1 else 0 end) as expired
     from tasks where status = 'in_progress' and lease_until is not null`,
    now,
    now,
  );
  return { held: Number(row?.held ?? 0), expired: Number(row?.expired ?? 0) };
}

/** The tasks that stopped because their remote refused a push. */
async function countRejectedPushes(session: SqlRunner): Promise<number> {
  const [row] = await session.sql<{ count: number }>(
    "select count(*) as count from tasks where status = 'blocked' and block_reason like ?",
    `%${REJECTED_PUSH}%`,
  );
  return Number(row?.count ?? 0);
}

/** The agents that have not ended, by program and by state. */
async function countAgents(session: SqlRunner): Promise<{ agent: string; status: string; count: number }[]> {
  const rows = await session.sql<{ agent: string; status: string; count: number }>(
    `select agent, status, count(*) as count from runs where status <> 'ended'
     group by agent, status order by agent, status`,
  );
  return rows.map(({ agent, status, count }) => ({ agent, status, count: Number(count) }));
}
