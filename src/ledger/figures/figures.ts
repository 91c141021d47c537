import type { Worker } from '../../schema/work-order.ts';
import type { Store } from '../engine/store.ts';
import { countWanted } from '../tasks/wanted-task-sql.ts';
import { WorkerRegister } from '../tasks/worker-register.ts';
import {
  countAgents,
  countLeases,
  countReady,
  countRejectedPushes,
  selectOpen,
  selectWaits,
} from './figures-sql.ts';

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
